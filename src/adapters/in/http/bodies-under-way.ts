import type { IncomingMessage } from 'node:http';
import { refusal, Unavailable } from '../../../domain/shared/errors';
import type { Log } from '../../../domain/shared/ports';
import { UnderWay } from './under-way';

/** Bytes that all bodies together may hold while they come in: 256 of the largest, unless another limit is set for one. */
const mostBytes = 64 * 1024 * 1024;
const tellEveryMs = 1000;

interface Deps {
  /** Bytes of one body at most. */
  readonly limit: number;
  readonly log: Log;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** 64 MiB unless given. */
  readonly most?: number;
}

/** Hears how the reading of a body ended: what refused it, or its bytes, as they came. */
export type BodyRead = (refused: Error | undefined, body: Buffer) => void;

/** One body that is being read. */
interface Reading {
  bytes: number;
  readonly giveUp: () => void;
}

const nothing = Buffer.alloc(0);

/**
 * Reads bodies as bytes: nothing is decompressed and nothing is parsed. Each is held to a limit of its own; thousands of slow
 * senders could still fill the memory together. When they hold too much, the one that has been coming in for longest is refused,
 * with 503: a body at a usual pace is complete by then, and only received bytes count, so that nobody takes room by announcing.
 */
export class BodiesUnderWay {
  private readonly readings = new UnderWay<Reading>();
  private held = 0;
  private refused = 0;
  private toldAt = -Infinity;

  constructor(private readonly deps: Deps) {}

  /** Bytes that are held now. */
  get bytes(): number {
    return this.held;
  }

  /**
   * Reads one body. Refuses with PAYLOAD_TOO_LARGE, with UNSUPPORTED_MEDIA_TYPE where it is compressed, with Unavailable where
   * there is too much of it all together, and with PARSING_ERROR_INVALID_REQUEST_BODY where it broke off.
   */
  read(req: IncomingMessage, done: BodyRead): void {
    const { 'content-length': length, 'transfer-encoding': coding, 'content-encoding': encoding } = req.headers;
    if (length === undefined && coding === undefined) done(undefined, nothing);
    else if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      discard(req, refusal('wrong-media-type', 'UNSUPPORTED_MEDIA_TYPE'), done);
    else if (Number(length) > this.deps.limit) discard(req, refusal('too-large', 'PAYLOAD_TOO_LARGE'), done);
    else this.gather(req, done);
  }

  private gather(req: IncomingMessage, done: BodyRead): void {
    const { limit, most = mostBytes } = this.deps;
    const chunks: Buffer[] = [];
    const count = (chunk: Buffer): void => {
      reading.bytes += chunk.length;
      this.held += chunk.length;
      chunks.push(chunk);
      if (reading.bytes > limit) leave(() => discard(req, refusal('too-large', 'PAYLOAD_TOO_LARGE'), done));
      while (this.held > most) this.giveUpOldest();
    };
    const end = (): void => leave(() => done(undefined, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const breakOff = (): void => leave(() => done(brokenOff(), nothing));
    const leave = (then: () => void): void => {
      if (!this.readings.leave(place)) return;
      this.held -= reading.bytes;
      req.off('data', count);
      then();
    };
    // What still comes is not read: the connection ends with the answer.
    const giveUp = (): void => leave(() => done(new Unavailable('too-many-bytes'), nothing));
    const reading: Reading = { bytes: 0, giveUp };
    const place = this.readings.enter(reading);
    req.on('data', count).on('end', end).on('error', breakOff);
  }

  private giveUpOldest(): void {
    this.readings.oldest?.giveUp();
    this.refused++;
    const now = this.deps.now();
    if (now - this.toldAt < tellEveryMs) return;
    this.deps.log.warn('bodies-refused', { refused: this.refused, reading: this.readings.size, bytes: this.held });
    this.toldAt = now;
    this.refused = 0;
  }
}

const brokenOff = (): Error => refusal('invalid', 'PARSING_ERROR_INVALID_REQUEST_BODY');

/** Lets the rest in and keeps nothing of it, so that the refusal reaches who is still sending; then says it. */
function discard(req: IncomingMessage, refused: Error, done: BodyRead): void {
  let isOver = false;
  const end = (): void => {
    if (!isOver) done(refused, nothing);
    isOver = true;
  };
  req.on('end', end).on('error', end).resume();
}

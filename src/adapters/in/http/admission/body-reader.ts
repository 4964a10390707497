import type { IncomingMessage } from 'node:http';
import { refusal, Unavailable } from '../../../../domain/shared/errors';
import type { Log } from '../../../../domain/shared/ports';
import { InFlightList } from './in-flight-list';

/** Total bytes of all bodies in flight: 256 of the largest, unless another limit is set for one body. */
const defaultMaxBytes = 64 * 1024 * 1024;
const logEveryMs = 1000;

interface Deps {
  /** Maximum bytes of one body. */
  readonly limit: number;
  readonly log: Log;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Maximum bytes of all bodies together; 64 MiB by default. */
  readonly maxBytes?: number;
}

/** Called when a body has been read: with an error if it was refused, else with its bytes. */
export type BodyRead = (refused: Error | undefined, body: Buffer) => void;

/** One body that is being read. */
interface Reading {
  bytes: number;
  readonly giveUp: () => void;
}

const nothing = Buffer.alloc(0);

/**
 * Reads bodies as bytes, without decompressing or parsing. Each body has its own limit, but thousands of slow senders could still fill the
 * memory together. When all bodies together exceed `maxBytes`, the oldest one is refused with 503: a body at a usual pace is complete by
 * then. Only received bytes count, so a large Content-Length reserves nothing.
 */
export class BodyReader {
  private readonly readings = new InFlightList<Reading>();
  private held = 0;
  private refused = 0;
  private lastLoggedAt = -Infinity;

  constructor(private readonly deps: Deps) {}

  /** Bytes held now. */
  get bytes(): number {
    return this.held;
  }

  /**
   * Reads one body. Refuses with PAYLOAD_TOO_LARGE, with UNSUPPORTED_MEDIA_TYPE where it is compressed, with Unavailable where all bodies
   * together are too large, and with PARSING_ERROR_INVALID_REQUEST_BODY where the upload broke off.
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
    const { limit, maxBytes = defaultMaxBytes } = this.deps;
    const chunks: Buffer[] = [];
    const count = (chunk: Buffer): void => {
      reading.bytes += chunk.length;
      this.held += chunk.length;
      chunks.push(chunk);
      if (reading.bytes > limit) leave(() => discard(req, refusal('too-large', 'PAYLOAD_TOO_LARGE'), done));
      while (this.held > maxBytes) this.giveUpOldest();
    };
    const end = (): void => leave(() => done(undefined, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const breakOff = (): void => leave(() => done(brokenOff(), nothing));
    const leave = (then: () => void): void => {
      if (!this.readings.leave(node)) return;
      this.held -= reading.bytes;
      req.off('data', count);
      then();
    };
    // The rest is not read: the connection ends with the answer.
    const giveUp = (): void => leave(() => done(new Unavailable('too-many-bytes'), nothing));
    const reading: Reading = { bytes: 0, giveUp };
    const node = this.readings.enter(reading);
    req.on('data', count).on('end', end).on('error', breakOff);
  }

  private giveUpOldest(): void {
    this.readings.oldest?.giveUp();
    this.refused++;
    const now = this.deps.now();
    if (now - this.lastLoggedAt < logEveryMs) return;
    this.deps.log.warn('bodies-refused', { refused: this.refused, reading: this.readings.size, bytes: this.held });
    this.lastLoggedAt = now;
    this.refused = 0;
  }
}

const brokenOff = (): Error => refusal('invalid', 'PARSING_ERROR_INVALID_REQUEST_BODY');

/** The rest of a refused body is read until none of it has come for so long, or for so long in all. */
const [discardIdleMs, discardMs] = [1000, 10_000];

/**
 * Reads and discards the rest of the body before reporting the refusal, as a client that is still sending would not read the answer. A body
 * that stops coming, or comes for too long, is refused before it ends, and the connection ends with the answer.
 */
function discard(req: IncomingMessage, refused: Error, done: BodyRead): void {
  const begunAt = performance.now();
  let isOver = false;
  const end = (): void => {
    clearTimeout(timer);
    if (!isOver) done(refused, nothing);
    isOver = true;
  };
  const timer = setTimeout(end, discardIdleMs);
  const wait = (): void => {
    if (!isOver && performance.now() - begunAt < discardMs) timer.refresh();
  };
  req.on('data', wait).on('end', end).on('error', end).resume();
}

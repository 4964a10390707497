import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Unavailable } from '../../../domain/shared/errors';
import type { Log } from '../../../domain/shared/ports';

/** Bytes that all bodies together may hold while they come in: 256 of the largest, unless another limit is set for one. */
const mostBytes = 64 * 1024 * 1024;
const tellEveryMs = 1000;

interface Deps {
  readonly log: Log;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** 64 MiB unless given. */
  readonly most?: number;
}

/** One body that is being read. */
interface Reading {
  bytes: number;
  readonly giveUp: () => void;
}

interface Call {
  readonly req: Request;
  readonly res: Response;
  readonly next: NextFunction;
  readonly limit: number;
}

/**
 * The bodies that are being read over all connections of this process. Each is held to a limit of its own; thousands of slow
 * senders could still fill the memory together. When they hold too much, the one that has been coming in for longest is refused,
 * with 503: what is sent at a usual pace is long through, and only bytes that came count, so that nobody takes room by announcing.
 */
export class BodiesUnderWay {
  /** The oldest first. */
  private readonly readings = new Set<Reading>();
  private held = 0;
  private refused = 0;
  private toldAt = -Infinity;

  constructor(private readonly deps: Deps) {}

  /** Bytes that are held now. */
  get bytes(): number {
    return this.held;
  }

  /** Counts what `read` takes in, `limit` bytes at most for each request, and ends it where there is too much of it all together. */
  over(read: RequestHandler, limit: number): RequestHandler {
    return (req, res, next) => {
      const hasBody = req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined;
      if (hasBody && !req.complete) this.begin(read, { req, res, next, limit });
      else void read(req, res, next);
    };
  }

  private begin(read: RequestHandler, { req, res, next, limit }: Call): void {
    let isOver = false;
    const count = (chunk: Uint8Array): void => {
      reading.bytes += chunk.length;
      this.held += chunk.length;
      // Beyond its limit nothing is kept, and what was is let go.
      if (reading.bytes > limit) release();
      while (this.held > (this.deps.most ?? mostBytes)) this.giveUpOldest();
    };
    const release = (): void => {
      req.off('data', count);
      if (this.readings.delete(reading)) this.held -= reading.bytes;
    };
    const end = (error?: unknown): void => {
      release();
      if (!isOver) next(error);
      isOver = true;
    };
    const giveUp = (): void => {
      // What still comes is not read: the connection ends with the answer, and with it what `read` has kept.
      res.setHeader('Connection', 'close');
      end(new Unavailable('too-many-bytes'));
    };
    const reading: Reading = { bytes: 0, giveUp };
    this.readings.add(reading);
    res.once('close', release);
    req.on('data', count);
    void read(req, res, end);
  }

  private giveUpOldest(): void {
    const [oldest] = this.readings;
    oldest?.giveUp();
    this.refused++;
    const now = this.deps.now();
    if (now - this.toldAt < tellEveryMs) return;
    this.deps.log.warn('bodies-refused', { refused: this.refused, reading: this.readings.size, bytes: this.held });
    this.toldAt = now;
    this.refused = 0;
  }
}

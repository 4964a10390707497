import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Refusals within one second from which on reading them takes a share of the processor that the others miss. */
const manyRefusals = 500;
/** Of those who rest, so many are read again in a second: the rest of the processor serves. */
const againPerSecond = 1000;
/** Milliseconds: as long as `Retry-After` said, and no longer than a caller waits in patience. */
const restMs = { least: 1000, most: 5000 } as const;

/**
 * Refused callers that come again at once instead of in a second. While there are many, their requests are not read before that
 * second is over, and later the more they are: to read and refuse it costs what serving others would need, and their senders
 * feel that they are held back. A few are read as ever, as a proxy's connection carries calls of others, too.
 */
export class RefusedConnections {
  private refusals = 0;
  private secondBefore = 0;
  private secondBegan = 0;
  private resting = 0;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(private readonly now: () => number) {}

  /** Hears of an answer that refuses, before it has left. */
  refused(res: ServerResponse): void {
    this.count();
    const { req, socket } = res;
    if (!socket || Math.max(this.refusals, this.secondBefore) < manyRefusals) return;
    // The server reads on once the answer is out, and for the rest of the body; nothing is to come in between.
    let left = 2;
    const ended = (): void => {
      if (--left === 0) this.rest(socket);
    };
    res.once('finish', ended);
    req.once('close', ended);
  }

  private rest(socket: Socket): void {
    this.resting++;
    const ms = Math.min(restMs.most, Math.max(restMs.least, (this.resting / againPerSecond) * 1000));
    socket.pause();
    setTimeout(() => {
      this.resting--;
      socket.resume();
    }, ms).unref();
  }

  private count(): void {
    const now = this.now();
    const passed = now - this.secondBegan;
    if (passed >= 1000) {
      this.secondBefore = passed < 2000 ? this.refusals : 0;
      this.refusals = 0;
      this.secondBegan = now;
    }
    this.refusals++;
  }
}

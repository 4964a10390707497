import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** From this many refusals in one second, reading them takes noticeable processor time from other calls. */
const manyRefusals = 500;
/** Paused connections that are read again per second; the remaining processor time serves other calls. */
const againPerSecond = 1000;
/** Pause in milliseconds: at least the time of `Retry-After`, and at most what a caller's timeout tolerates. */
const restMs = { min: 1000, max: 5000 } as const;

/**
 * Pauses connections of refused callers who retry at once instead of after `Retry-After`. While refusals are many, their requests are not
 * read before that second is over, and later the more connections are paused: reading and refusing would cost what serving others needs.
 * Some are read at once nevertheless, because a proxy's connection also carries other callers' requests.
 */
export class RefusedConnections {
  private refusals = 0;
  private secondBefore = 0;
  private secondBegan = 0;
  private resting = 0;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(private readonly now: () => number) {}

  /** Call it for a refusal, before the answer is sent. */
  refused(res: ServerResponse): void {
    this.count();
    const { req, socket } = res;
    if (!socket || Math.max(this.refusals, this.secondBefore) < manyRefusals) return;
    // The server resumes reading after the answer and after the rest of the body, so the pause must start after both.
    let left = 2;
    const ended = (): void => {
      if (--left === 0) this.rest(socket);
    };
    res.once('finish', ended);
    req.once('close', ended);
  }

  private rest(socket: Socket): void {
    this.resting++;
    const ms = Math.min(restMs.max, Math.max(restMs.min, (this.resting / againPerSecond) * 1000));
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

import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallTime } from '../../../../domain/exchanges/call-time';
import { type DomainError, refusal, Unavailable } from '../../../../domain/shared/errors';
import { type Place, UnderWay } from '../under-way';

/** Milliseconds that a caller waits for us, the time at partners left out, before it is answered. With the beat it is below six seconds. */
export const answerAfterMs = 5600;
/** Milliseconds between two looks at the calls. */
export const beatMs = 250;
/** A beat that comes later found the process standing still; work that became ready meanwhile goes on first. */
const lateMs = 1000;

interface Watched {
  readonly time: CallTime;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly answer: (error: DomainError) => void;
}

/** A call that is watched until `end`. */
interface WatchedCall {
  readonly time: CallTime;
  readonly end: () => void;
}

/** Answers that were due before what they are about had ended. */
const overdueAnswers = new WeakSet<ServerResponse>();

/** The call was answered as it was due: what it still brings is thrown away. */
export const isOverdue = (res: ServerResponse): boolean => overdueAnswers.has(res);

/**
 * Sees to it that whoever calls has an answer within six seconds of waiting for us (contract/conventions#time-to-an-answer): 503 with `Retry-After`, whatever
 * the call waits for. Work for the call goes on, and may be committed: the repeat is right.
 */
export class AnswersInTime {
  private readonly underWay = new UnderWay<Watched>();
  private timer: NodeJS.Timeout | undefined;
  private lastBeat = 0;

  /** `now`: milliseconds that only rise. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Watches a call until its answer has left, or its caller. `answer` refuses it, once at most. */
  watch(req: IncomingMessage, res: ServerResponse, answer: (error: DomainError) => void): WatchedCall {
    const time = new CallTime(this.now);
    const place: Place<Watched> = this.underWay.enter({ time, req, res, answer });
    if (!this.timer) this.beatLater();
    return { time, end: () => void this.underWay.leave(place) };
  }

  private beatLater(): void {
    this.lastBeat = this.now();
    this.timer = setTimeout(() => this.beat(), beatMs).unref();
  }

  private beat(): void {
    this.timer = undefined;
    const isLate = this.now() - this.lastBeat > lateMs;
    if (!isLate) this.answerOverdue();
    if (this.underWay.size > 0) this.beatLater();
  }

  private answerOverdue(): void {
    for (const { time, req, res, answer } of this.underWay.all()) {
      if (time.isOverdue || res.headersSent || time.ownMs() < answerAfterMs || !req.complete) continue;
      time.expire();
      overdueAnswers.add(res);
      // An error after the answer must not end the process.
      res.on('error', () => undefined);
      answer(overdue(time));
    }
  }
}

/** A payment that was asked for may be there: that call must not be repeated blindly, as it is with any 503. */
function overdue({ lastStep }: CallTime): DomainError {
  if (lastStep !== 'create') return new Unavailable('database-busy');
  return refusal('fault', 'UNKNOWN_ERROR', { side: 'platform', step: 'create', outcome: 'unknown', retryable: false });
}

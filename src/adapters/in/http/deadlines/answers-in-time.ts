import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallTime } from '../../../../domain/exchanges/call-time';
import { type DomainError, refusal, Unavailable } from '../../../../domain/shared/errors';
import { type ListNode, InFlightList } from '../admission/in-flight-list';

/**
 * Milliseconds of waiting for us (without the time at partners) after which a call is answered. Including the beat it is below six seconds.
 */
export const answerAfterMs = 5600;
/** Milliseconds between two checks of the running calls. */
export const beatMs = 250;
/** Milliseconds. A later beat means that the process was stalled, so work that has become ready runs before calls are cut off. */
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

/** Responses that were sent at the deadline, before their call had ended. */
const overdueAnswers = new WeakSet<ServerResponse>();

/** Whether the call was answered at its deadline; its later result is discarded. */
export const isOverdue = (res: ServerResponse): boolean => overdueAnswers.has(res);

/**
 * Answers every call within six seconds of waiting for us (contract/conventions#time-to-an-answer): with 503 and `Retry-After`, whatever
 * the call is waiting for. Work for the call continues and may commit, so a repeat gets the right answer.
 */
export class AnswersInTime {
  private readonly inFlight = new InFlightList<Watched>();
  private timer: NodeJS.Timeout | undefined;
  private lastBeat = 0;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Watches a call until its response is finished or the caller has disconnected. `answer` refuses it, and is called once at most. */
  watch(req: IncomingMessage, res: ServerResponse, answer: (error: DomainError) => void): WatchedCall {
    const time = new CallTime(this.now);
    const node: ListNode<Watched> = this.inFlight.enter({ time, req, res, answer });
    if (!this.timer) this.scheduleBeat();
    return { time, end: () => void this.inFlight.leave(node) };
  }

  private scheduleBeat(): void {
    this.lastBeat = this.now();
    this.timer = setTimeout(() => this.beat(), beatMs).unref();
  }

  private beat(): void {
    this.timer = undefined;
    const isLate = this.now() - this.lastBeat > lateMs;
    if (!isLate) this.answerOverdue();
    if (this.inFlight.size > 0) this.scheduleBeat();
  }

  private answerOverdue(): void {
    for (const { time, req, res, answer } of this.inFlight.all()) {
      if (time.isOverdue || res.headersSent || time.ownMs() < answerAfterMs || !req.complete) continue;
      time.expire();
      overdueAnswers.add(res);
      // A write error after the answer must not end the process.
      res.on('error', () => undefined);
      answer(overdue(time));
    }
  }
}

/** The host app may have created the payment. A 503 would invite a blind repeat, so this call gets an unknown outcome. */
function overdue({ lastStep }: CallTime): DomainError {
  if (lastStep !== 'create') return new Unavailable('database-busy');
  return refusal('fault', 'UNKNOWN_ERROR', { side: 'platform', step: 'create', outcome: 'unknown', retryable: false });
}

import type { CheckName, Exchange, Leg } from '../exchanges/exchange';
import type { PaymentHistory } from '../payments/payment-record-repository';
import { callerOf, type Lane } from './lanes';
import { verdictOfCall, verdictOfDelivery, verdictOfPayment, type SeenDelivery, type Verdict } from './verdict';

/** The result of one check of a call; not every check applies to every call. */
export type Mark = 'passed' | 'refused' | 'not-checked';
export type Marks = Readonly<Record<CheckName, Mark>>;

/** The results of all three checks. */
export function marksOf({ checks, refused }: Pick<Exchange, 'checks' | 'refused'>): Marks {
  const mark = (name: CheckName): Mark => (refused?.check === name ? 'refused' : checks.includes(name) ? 'passed' : 'not-checked');
  return { basic: mark('basic'), signature: mark('signature'), address: mark('address') };
}

/** Milliseconds of a call by the side that took them. */
export interface TimeSplit {
  readonly platform: number;
  readonly hostapp: number;
  readonly miniapp: number;
}

/** Splits the time of a call; the time outside its legs is the platform's. */
export function splitOf({ ms, legs }: Pick<Exchange, 'ms' | 'legs'>): TimeSplit {
  const of = (to: Leg['to']): number => legs.filter((leg) => leg.to === to).reduce((sum, leg) => sum + leg.ms, 0);
  const [hostapp, miniapp] = [of('hostapp'), of('miniapp')];
  return { platform: Math.max(0, ms - hostapp - miniapp), hostapp, miniapp };
}

/**
 * `call`: to the platform; `leg`: from it, for a call; `poll`: from it, on its own initiative; `attempt`: of a delivery; `planned`: the
 * next attempt.
 */
export type StepKind = 'call' | 'leg' | 'poll' | 'attempt' | 'planned';

/** One arrow between two lanes. Times are milliseconds since the epoch. */
export interface TimelineStep {
  readonly kind: StepKind;
  readonly from: Lane;
  readonly to: Lane;
  /** The call's name, the step of a leg, or the kind of a delivery. */
  readonly what: string;
  readonly at: number;
  /** Absent for a planned step. */
  readonly ms?: number | undefined;
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly cause?: string | undefined;
  readonly attempt: number;
  /** The previous call got a 401, so this one repeats it with new credentials. */
  readonly afterUnauthorized?: true;
  /** Only for a `call`. */
  readonly marks?: Marks;
  readonly requestId?: string;
  readonly exchangeId?: string;
  readonly deliveryId?: string;
}

/** All calls of one sign-on, payment or event, in order of time. */
export interface Timeline {
  readonly kind: 'exchange' | 'payment' | 'delivery';
  readonly id: string;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  readonly verdict: Verdict;
  readonly split: TimeSplit;
  readonly payment?: PaymentHistory | undefined;
  readonly delivery?: SeenDelivery | undefined;
  /** Oldest first. */
  readonly calls: readonly Exchange[];
  readonly steps: readonly TimelineStep[];
}

/** The parts of a timeline. */
export interface TimelineParts extends Pick<Timeline, 'kind' | 'id' | 'clientId' | 'appId' | 'payment' | 'delivery' | 'calls'> {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Sorts the parts by time, and adds the verdict. */
export function timelineOf({ now, ...parts }: TimelineParts): Timeline {
  const { calls, delivery } = parts;
  const splits = calls.map(splitOf);
  const attempts = delivery?.attempts.reduce((sum, { ms }) => sum + ms, 0) ?? 0;
  const total = (lane: Lane): number => splits.reduce((sum, split) => sum + split[lane], delivery?.receiver === lane ? attempts : 0);
  const steps = [...calls.flatMap(stepsOfCall), ...(delivery ? stepsOfDelivery(delivery) : [])];
  return {
    ...parts,
    verdict: verdictOf({ ...parts, now }),
    split: { platform: total('platform'), hostapp: total('hostapp'), miniapp: total('miniapp') },
    // The sort is stable: a call stays before its legs even if they begin in the same millisecond.
    steps: steps.toSorted((a, b) => a.at - b.at),
  };
}

function verdictOf({ kind, id, payment, delivery, calls, now }: TimelineParts): Verdict {
  const own = kind === 'exchange' ? calls.find((call) => call.id === id) : undefined;
  if (own && verdictOfCall(own).side !== 'nobody') return verdictOfCall(own);
  if (payment) return verdictOfPayment({ payment, calls, delivery, now });
  if (delivery) return verdictOfDelivery(delivery);
  const last = own ?? calls.at(-1);
  return last ? verdictOfCall(last) : { side: 'nobody', sentence: 'Nothing is recorded here.' };
}

/** The steps of one call: to the platform, then from it. */
export function stepsOfCall(exchange: Exchange): TimelineStep[] {
  const { id: exchangeId, requestId, call, at, ms, status, errorCode } = exchange;
  const from = callerOf(call);
  const isPoll = from === 'platform';
  const legs = exchange.legs.map((leg, i) =>
    stepOfLeg(leg, exchange.legs[i - 1], { kind: isPoll ? 'poll' : 'leg', requestId, exchangeId }),
  );
  // A poll has no inbound call, so only its legs are shown; without legs, the poll itself.
  if (isPoll && legs.length > 0) return legs;
  const outcome = { status, errorCode: errorCode, attempt: 1, requestId, exchangeId };
  return [{ kind: 'call', from, to: 'platform', what: call, at, ms, ...outcome, ...(!isPoll && { marks: marksOf(exchange) }) }, ...legs];
}

function stepOfLeg(leg: Leg, before: Leg | undefined, known: Pick<TimelineStep, 'kind' | 'requestId' | 'exchangeId'>): TimelineStep {
  const { to, step: what, startedAt: at, ms, status, errorCode, cause, attempt } = leg;
  const again = attempt > 1 && before?.status === 401;
  return {
    ...known,
    from: 'platform',
    to,
    what,
    at,
    ms,
    status,
    errorCode,
    cause,
    attempt,
    ...(again && { afterUnauthorized: true as const }),
  };
}

function stepsOfDelivery({ id: deliveryId, receiver: to, kind: what, attempts, attemptCount, dueAt, state }: SeenDelivery): TimelineStep[] {
  const first = attemptCount - attempts.length + 1;
  const made = attempts.map(({ at, ms, status, errorCode, cause }, i): TimelineStep => {
    return { kind: 'attempt', from: 'platform', to, what, at, ms, status, errorCode, cause, attempt: first + i, deliveryId };
  });
  if (dueAt === undefined || state !== 'ready') return made;
  return [...made, { kind: 'planned', from: 'platform', to, what, at: dueAt, attempt: attemptCount + 1, deliveryId }];
}

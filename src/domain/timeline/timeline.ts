import type { CheckName, Exchange, Leg } from '../exchanges/exchange';
import type { PaymentHistory } from '../payments/payment-book';
import { callerOf, type Lane } from './lanes';
import { verdictOfCall, verdictOfDelivery, verdictOfPayment, type SeenDelivery, type Verdict } from './verdict';

/** How one check of a call went; a call need not be asked for each of them. */
export type Mark = 'passed' | 'refused' | 'not-asked';
export type Marks = Readonly<Record<CheckName, Mark>>;

/** The three checks of a call, as marks. */
export function marksOf({ checks, refused }: Pick<Exchange, 'checks' | 'refused'>): Marks {
  const mark = (name: CheckName): Mark => (refused?.check === name ? 'refused' : checks.includes(name) ? 'passed' : 'not-asked');
  return { basic: mark('basic'), signature: mark('signature'), address: mark('address') };
}

/** Milliseconds of a call by who took them. */
export interface TimeSplit {
  readonly platform: number;
  readonly hostapp: number;
  readonly miniapp: number;
}

/** What of a call's time its legs did not take is the platform's own. */
export function splitOf({ ms, legs }: Pick<Exchange, 'ms' | 'legs'>): TimeSplit {
  const of = (to: Leg['to']): number => legs.filter((leg) => leg.to === to).reduce((sum, leg) => sum + leg.ms, 0);
  const [hostapp, miniapp] = [of('hostapp'), of('miniapp')];
  return { platform: Math.max(0, ms - hostapp - miniapp), hostapp, miniapp };
}

/** `call`: into the platform; `leg`: from it, on behalf of a call; `ask`: from it by itself; `attempt`: of a delivery; `planned`: its next. */
export type StepKind = 'call' | 'leg' | 'ask' | 'attempt' | 'planned';

/** One line between two lanes. Times are milliseconds since the epoch. */
export interface TimelineStep {
  readonly kind: StepKind;
  readonly from: Lane;
  readonly to: Lane;
  /** The call's name, the step of a leg, or the kind of a delivery. */
  readonly what: string;
  readonly at: number;
  /** Absent: it has not been made yet. */
  readonly ms?: number | undefined;
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly cause?: string | undefined;
  readonly attempt: number;
  /** The call before it was answered 401, so it was made again with new credentials. */
  readonly afterUnauthorized?: true;
  /** Of a `call`. */
  readonly marks?: Marks;
  readonly requestId?: string;
  readonly exchangeId?: string;
  readonly deliveryId?: string;
}

/** What belongs to one sign-on, payment or event, in the order of time. */
export interface Timeline {
  readonly kind: 'exchange' | 'payment' | 'delivery';
  readonly id: string;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  readonly verdict: Verdict;
  readonly split: TimeSplit;
  readonly payment?: PaymentHistory | undefined;
  readonly delivery?: SeenDelivery | undefined;
  /** Calls oldest first. */
  readonly calls: readonly Exchange[];
  readonly steps: readonly TimelineStep[];
}

/** What a timeline is made of. */
export interface TimelineParts extends Pick<Timeline, 'kind' | 'id' | 'clientId' | 'appId' | 'payment' | 'delivery' | 'calls'> {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Puts the parts in order, and says who has to act. */
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
    // Stable: a call stands before its legs though they begin in the same millisecond.
    steps: steps.toSorted((a, b) => a.at - b.at),
  };
}

function verdictOf({ kind, id, payment, delivery, calls, now }: TimelineParts): Verdict {
  const asked = kind === 'exchange' ? calls.find((call) => call.id === id) : undefined;
  if (asked && verdictOfCall(asked).side !== 'nobody') return verdictOfCall(asked);
  if (payment) return verdictOfPayment({ payment, calls, delivery, now });
  if (delivery) return verdictOfDelivery(delivery);
  const last = asked ?? calls.at(-1);
  return last ? verdictOfCall(last) : { side: 'nobody', sentence: 'Nothing is recorded here.' };
}

/** The lines of one call: into the platform, then from it. */
export function stepsOfCall(exchange: Exchange): TimelineStep[] {
  const { id: exchangeId, requestId, call, at, ms, status, errorCode } = exchange;
  const from = callerOf(call);
  const asks = from === 'platform';
  const legs = exchange.legs.map((leg, i) => stepOfLeg(leg, exchange.legs[i - 1], { kind: asks ? 'ask' : 'leg', requestId, exchangeId }));
  // Nobody called; where no call went out either, that is what there is to see.
  if (asks && legs.length > 0) return legs;
  const said = { status, errorCode: errorCode, attempt: 1, requestId, exchangeId };
  return [{ kind: 'call', from, to: 'platform', what: call, at, ms, ...said, ...(!asks && { marks: marksOf(exchange) }) }, ...legs];
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

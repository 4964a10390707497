import type { DeliveryRecord, Attempt } from '../deliveries/delivery';
import type { Exchange, Leg } from '../exchanges/exchange';
import type { PaymentHistory } from '../payments/payment-record-repository';
import { catalogue, type ErrorCode } from '../shared/error-catalogue';
import type { Side } from '../shared/errors';
import { callerOf, nameOf, type Lane } from './lanes';
import { failedLeg, isPartnersOwnWord, nextStepAfter, whatHappened } from './sentences';

/** The party that has to act. `platform`: the service itself failed; `operator`: a setting of the service is wrong. */
export type ActingSide = 'nobody' | Lane | 'operator';

/** The party that has to act, a description of what happened, and the first thing to do; for people, without secrets or personal data. */
export interface Verdict {
  readonly side: ActingSide;
  readonly sentence: string;
  /** Absent when there is nothing to do. */
  readonly next?: string;
}

/** A delivery with its attempts, oldest first. */
export type SeenDelivery = DeliveryRecord & { readonly attempts: readonly Attempt[] };

/** The party that can fix a failed call. */
export function actingSideOf(exchange: Exchange): ActingSide {
  const { errorCode: code = '', failedSide, refused, call } = exchange;
  const partner = partnerOf(failedSide);
  if (isDeniedAddress(failedLeg(exchange)?.cause)) return 'operator';
  if (partner && isPartnersOwnWord(exchange)) return partner;
  if (platformCodes.has(code)) return 'platform';
  const acts = Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode].acts : 'partner';
  if (acts === 'operator') return 'operator';
  if (acts === 'partner' || ofPartner.has(code)) return partner ?? callerOf(call);
  return refused?.of ?? callerOf(call);
}

/** `address` occurs in records from before 2026-11. */
const isDeniedAddress = (cause: string | undefined): boolean => cause === 'denied-address' || cause === 'address';

const platformCodes: ReadonlySet<string> = new Set<ErrorCode>(['UNKNOWN_ERROR', 'SERVICE_UNAVAILABLE']);
/** Codes for which the host app must act, whichever side called. */
const ofPartner: ReadonlySet<string> = new Set<ErrorCode>(['INVALID_USER_DATA', 'CONSENT_REQUIRED', 'INVALID_PAYMENT_STATUS']);

const partnerOf = (side: Side | undefined): Lane | undefined => (side === 'platform' ? undefined : side);

/** The verdict on one call. */
export function verdictOfCall(exchange: Exchange): Verdict {
  if (exchange.errorCode === undefined && exchange.status < 400) return { side: 'nobody', sentence: wentWell(exchange) };
  const side = actingSideOf(exchange);
  return { side, sentence: whatHappened(exchange), next: nextStepAfter(exchange) };
}

function wentWell({ legs }: Exchange): string {
  const repeated = legs.find(({ attempt }, i) => attempt > 1 && refusedToken(legs[i - 1]));
  if (!repeated) return 'Everything went well.';
  return `Everything went well: ${nameOf(repeated.to)} answered 401 first, the token was renewed and the call repeated.`;
}

const refusedToken = (leg: Leg | undefined): boolean => leg?.status === 401;

/** The verdict on one delivery. */
export function verdictOfDelivery({ state, receiver, parkedBy, attempts, attemptCount, kind }: SeenDelivery): Verdict {
  const who = nameOf(receiver);
  const what = kind === 'completion' ? 'The notice how the payment ended' : 'The event';
  const last = attempts.at(-1);
  if (state === 'delivered') return { side: 'nobody', sentence: `${what} was received by ${who}${timesOf(attemptCount)}.` };
  if (state === 'parked') {
    const why =
      parkedBy !== undefined && Object.hasOwn(catalogue, parkedBy) ? catalogue[parkedBy as ErrorCode].meaning : 'something is off';
    return {
      side: 'operator',
      sentence: `${what} waits: ${lowerFirst(why)}.`,
      next: 'Switch it on again: what waits is delivered by itself.',
    };
  }
  if (!last) return { side: 'nobody', sentence: `${what} is on its way to ${who}.` };
  const tried = `${what} was not received by ${who}: ${answerOf(last)}${timesOf(attemptCount)}`;
  if (isDeniedAddress(last.cause) || last.errorCode === 'ENDPOINT_URL_NOT_SET') {
    return {
      side: 'operator',
      sentence: `${tried}.`,
      next: `Correct the URL of ${who}: it is missing, or it may not be called from here.`,
    };
  }
  if (state === 'failed') return { side: receiver, sentence: `${tried}; it was given up.`, next: `Mend ${who}'s URL, then send it again.` };
  return { side: receiver, sentence: `${tried}; it is tried again.`, next: mendOf(receiver, last) };
}

const timesOf = (count: number): string => (count > 1 ? ` (${String(count)} attempts)` : '');
const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
const answerOf = ({ status, cause }: Attempt): string =>
  status === undefined ? `it gave no answer (${cause ?? 'unknown'})` : `it answered ${String(status)}`;

function mendOf(receiver: Lane, { status }: Attempt): string {
  const who = nameOf(receiver);
  if (status !== undefined && status >= 300 && status < 400) return `Store the URL that ${who} redirects to: redirects are not followed.`;
  if (status === 401 || status === 403) return `Let ${who} compare the credentials it expects with those it is called with.`;
  return `Look into ${who}'s log at the time of the attempt; any 2xx counts as received.`;
}

/** Milliseconds without a result after which the host app has to act. */
const patienceMs = 15 * 60_000;

/** A payment with its calls, oldest first, and its delivery. */
export interface SeenPayment {
  readonly payment: PaymentHistory;
  readonly calls: readonly Exchange[];
  readonly delivery: SeenDelivery | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The verdict on a payment: on its creation, its result and the completion's delivery. */
export function verdictOfPayment({ payment, calls, delivery, now }: SeenPayment): Verdict {
  if (payment.creation === 'refused' || payment.creation === 'unanswered') return verdictOfCreation(payment, calls);
  if (payment.openConflicts > 0) {
    return {
      side: 'hostapp',
      sentence: `The host app reported two different results; the first one, ${payment.status}, counts.`,
      next: 'Ask the host app which result is right; the other report is kept beside the payment.',
    };
  }
  if (payment.status !== 'in_process') {
    const ended = `The payment has ended: ${payment.status}.`;
    if (!delivery) return { side: 'nobody', sentence: ended };
    const verdict = verdictOfDelivery(delivery);
    return { ...verdict, sentence: `${ended} ${verdict.sentence}` };
  }
  const lastPoll = calls.findLast(({ call }) => call === 'reconcile');
  if (lastPoll?.errorCode !== undefined) return verdictOfCall(lastPoll);
  if (now - payment.createdAt < patienceMs)
    return { side: 'nobody', sentence: 'The payment is in process: the host app has time to say how it ends.' };
  return {
    side: 'hostapp',
    sentence: 'The host app has not said for more than 15 minutes how the payment ended.',
    next: 'Let the host app complete the order, or ask it now how the payment stands.',
  };
}

function verdictOfCreation({ creation }: PaymentHistory, calls: readonly Exchange[]): Verdict {
  const failed = calls.findLast(({ call, errorCode }) => call === 'create_order_payment' && errorCode !== undefined);
  if (failed) return verdictOfCall(failed);
  const how = creation === 'refused' ? 'refused to open the payment' : 'did not say whether it opened the payment';
  return { side: 'hostapp', sentence: `The host app ${how}.`, next: "Look into the host app's log at the time of the call." };
}

import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { headerOnce, type InboundRequest } from '../../../domain/credentials/check';
import type { CredentialPolicy } from '../../../domain/credentials/credential-policy';
import type { PairIds } from '../../../domain/credentials/admit-call';
import type { Relay } from '../../../domain/exchanges/exchange';
import { namesOf } from '../../../domain/exchanges/tracing';
import { InvalidInput, refusal, type DomainError } from '../../../domain/shared/errors';
import { factsOfFault } from '../../../domain/shared/fault';
import type { IdempotencyLedger, IdempotencyState, IdempotentCall, KeptAnswer } from '../../../domain/shared/idempotency';
import { JsonObject, readJson } from '../../../domain/shared/json';
import type { Clock, Log } from '../../../domain/shared/ports';
import { printed, sendPrinted, type Answer } from './answer';
import { answerAfterMs, beatMs } from './deadlines/answers-in-time';
import { asDomainError, errorAnswer } from './error-handler';
import { pathOf } from './path-of';
import { contextOf } from './request-context';

/** What the step works with. */
export interface IdempotencyTools {
  readonly ledger: IdempotencyLedger;
  readonly clock: Clock;
  readonly log: Log;
  readonly exposeExceptions: boolean;
}

/** One call that its caller has named. */
export interface KeyedCall {
  readonly call: IdempotentCall;
  readonly request: InboundRequest;
  readonly relay: Relay;
}

/** On top of the call's own deadline, so that a live action never counts as dead. */
const leaseReserveMs = 5_000;

/**
 * The caller's Idempotency-Key, on a POST of a caller who is known; nobody else's counts. Throws INVALID_INPUT where it is
 * sent twice or is not 1 to 255 printable ASCII characters.
 */
export function idempotencyKeyOf({ caller }: CredentialPolicy, request: InboundRequest): string | undefined {
  if (request.method !== 'POST' || caller === 'anyone') return undefined;
  const key = headerOnce(request, 'Idempotency-Key');
  if (key === undefined || /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new InvalidInput([{ path: 'Idempotency-Key', rule: 'must be 1 to 255 printable ASCII characters' }]);
}

/** The call by its name: of this caller, integration and path, the final slash left out. */
export function idempotentCall(
  { caller }: CredentialPolicy,
  { clientId, appId }: PairIds,
  { target }: InboundRequest,
  { integrationId, key }: Pick<IdempotentCall, 'integrationId' | 'key'>,
): IdempotentCall {
  const path = pathOf(target).replace(/\/$/, '');
  return { caller: `${caller} ${caller === 'host-app' ? clientId : appId}`, integrationId, path, key };
}

/**
 * Answers a named call (contract/conventions#idempotency): runs `act` where the name is new, else repeats the kept answer, whose
 * body is the first one's to the byte. Throws IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_MISMATCH, UNKNOWN_ERROR with
 * `outcome: unknown` where a run died, and what `act` throws. Not kept, so that the next call acts: 429, 503, and failures of
 * a partner whose outcome is not unknown.
 */
export async function answerOnce(
  res: ServerResponse,
  keyed: KeyedCall,
  tools: IdempotencyTools,
  act: () => Promise<Answer>,
): Promise<void> {
  const leaseMs = Math.max(0, keyed.relay.deadline - tools.clock.now()) + leaseReserveMs;
  const found = await tools.ledger.claim(keyed.call, digestOf(keyed.request), leaseMs);
  if (found.state === 'finished') {
    replay(res, found.answer);
    return;
  }
  if (found.state !== 'claimed') throw refusalOf(found);
  const keep = keeper(keyed, found.lease, tools);
  let answer: KeptAnswer;
  try {
    answer = printed(await act());
  } catch (error) {
    const refused = printed(errorAnswer(error, keyed.relay.requestId, tools.exposeExceptions));
    await inTime(keyed.relay, keep(refused, isKept(asDomainError(error))));
    throw error;
  }
  await inTime(keyed.relay, keep(answer, true));
  sendPrinted(res, answer);
}

/** Of the raw body, and of the query where some of the call stands there (revoke). */
function digestOf({ body, target }: InboundRequest): Uint8Array {
  const at = target.indexOf('?');
  const digest = createHash('sha256').update(body).digest();
  return at < 0 ? digest : createHash('sha256').update(digest).update(target.slice(at)).digest();
}

function refusalOf({ state }: Exclude<IdempotencyState, { state: 'claimed' | 'finished' }>): Error {
  if (state === 'running') return refusal('conflict', 'IDEMPOTENCY_IN_PROGRESS');
  if (state === 'mismatch') return refusal('conflict', 'IDEMPOTENCY_MISMATCH');
  return refusal('fault', 'UNKNOWN_ERROR', { side: 'platform', outcome: 'unknown' });
}

/** A partner that refused has decided; one that was not reached, or gave no readable answer, may answer the next time. */
function isKept({ kind, details }: DomainError): boolean {
  if (kind === 'too-many' || kind === 'unavailable') return false;
  return details.outcome !== undefined || (kind !== 'partner-unreachable' && kind !== 'partner-garbled');
}

/** An answer is known and leaves in time, while it is still being kept: a repeat that comes before it is kept finds its run in progress. */
async function inTime({ time }: Relay, keeping: Promise<void>): Promise<void> {
  if (!time) return keeping;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.max(0, answerAfterMs - beatMs - time.ownMs()))));
  await Promise.race([keeping, late]);
  clearTimeout(timer);
}

/**
 * Keeps an answer before it leaves, so that a repeat finds it. Where that fails the answer leaves all the same, as it is true;
 * a repeat will hear that the outcome is not known.
 */
function keeper({ call, relay }: KeyedCall, lease: string, { ledger, log }: IdempotencyTools) {
  return async (answer: KeptAnswer, isFinal: boolean): Promise<void> => {
    try {
      if (isFinal) await ledger.finish(call, lease, answer);
      else await ledger.release(call, lease);
    } catch (error) {
      log.warn('idempotency.answer-not-kept', { ...namesOf(relay), ...factsOfFault(error) });
    }
  };
}

function replay(res: ServerResponse, { status, body }: KeptAnswer): void {
  contextOf(res).ending = { status, errorCode: status >= 400 ? errorCodeIn(body) : undefined };
  res.setHeader('Idempotency-Replayed', 'true');
  sendPrinted(res, { status, body });
}

function errorCodeIn(body: Uint8Array): string | undefined {
  const answer = readJson(body);
  const code = answer instanceof JsonObject ? answer.get('error_code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

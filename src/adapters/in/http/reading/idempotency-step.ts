import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { headerOnce, type InboundRequest } from '../../../../domain/credentials/check';
import type { CredentialPolicy } from '../../../../domain/credentials/credential-policy';
import type { PairIds } from '../../../../domain/credentials/admit-call';
import type { Relay } from '../../../../domain/exchanges/exchange';
import { namesOf } from '../../../../domain/exchanges/tracing';
import { InvalidInput, refusal, type DomainError } from '../../../../domain/shared/errors';
import { errorFields } from '../../../../domain/shared/fault';
import type { IdempotencyStore, IdempotencyState, IdempotentCall, KeptAnswer } from '../../../../domain/shared/idempotency';
import { JsonObject } from '../../../../domain/shared/json';
import { readInTurns } from '../../../json/in-turns';
import type { Clock, Log } from '../../../../domain/shared/ports';
import { printed, sendPrinted, type Answer } from '../answer';
import { answerAfterMs, beatMs } from '../deadlines/answers-in-time';
import { asDomainError, errorAnswer } from '../error-handler';
import { pathOf } from './path-of';
import { contextOf } from '../request-context';

export interface IdempotencyTools {
  readonly store: IdempotencyStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly exposeExceptions: boolean;
}

/** A call with an idempotency key. */
export interface KeyedCall {
  readonly call: IdempotentCall;
  readonly request: InboundRequest;
  readonly relay: Relay;
}

/** Milliseconds beyond the call's own deadline, so that a running action never counts as dead. */
const leaseReserveMs = 5_000;

/**
 * The caller's Idempotency-Key, read from POST requests of authenticated callers only. Throws INVALID_INPUT where it is sent twice or is
 * not 1 to 255 printable ASCII characters.
 */
export function idempotencyKeyOf({ caller }: CredentialPolicy, request: InboundRequest): string | undefined {
  if (request.method !== 'POST' || caller === 'anyone') return undefined;
  const key = headerOnce(request, 'Idempotency-Key');
  if (key === undefined || /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new InvalidInput([{ path: 'Idempotency-Key', rule: 'must be 1 to 255 printable ASCII characters' }]);
}

/** Identifies the call by its key, caller, integration and path without a trailing slash. */
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
 * Answers a call with an idempotency key (contract/conventions#idempotency). Runs `act` for a new key, else repeats the stored answer byte
 * for byte. Throws IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_MISMATCH, UNKNOWN_ERROR with `outcome: unknown` where a run died, and what `act`
 * throws. Some answers are not stored, so that the next call acts again: 429, 503, and failures of a partner whose outcome is not unknown.
 */
export async function answerOnce(
  res: ServerResponse,
  keyed: KeyedCall,
  tools: IdempotencyTools,
  act: () => Promise<Answer>,
): Promise<void> {
  const leaseMs = Math.max(0, keyed.relay.deadline - tools.clock.now()) + leaseReserveMs;
  const found = await tools.store.claim(keyed.call, digestOf(keyed.request), leaseMs);
  if (found.state === 'finished') {
    await replay(res, found.answer);
    return;
  }
  if (found.state !== 'claimed') throw refusalOf(found);
  const keep = keeper(keyed, found.lease, tools);
  let answer: KeptAnswer;
  try {
    answer = await printed(await act());
  } catch (error) {
    const refused = await printed(errorAnswer(error, keyed.relay.requestId, tools.exposeExceptions));
    await inTime(keyed.relay, keep(refused, isKept(asDomainError(error))));
    throw error;
  }
  await inTime(keyed.relay, keep(answer, true));
  sendPrinted(res, answer);
}

/** Digest of the raw body, and of the query, which can carry input as well (revoke). */
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

/** Stores a partner's refusal, which is final. A partner that was unreachable or sent no readable answer may succeed next time. */
function isKept({ kind, details }: DomainError): boolean {
  if (kind === 'too-many' || kind === 'unavailable') return false;
  return details.outcome !== undefined || (kind !== 'partner-unreachable' && kind !== 'partner-garbled');
}

/**
 * Waits for storing an answer, but only until the call's deadline. A repeat that arrives before the answer is stored gets
 * IDEMPOTENCY_IN_PROGRESS.
 */
async function inTime({ time }: Relay, keeping: Promise<void>): Promise<void> {
  if (!time) return keeping;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.max(0, answerAfterMs - beatMs - time.ownMs()))));
  await Promise.race([keeping, late]);
  clearTimeout(timer);
}

/**
 * Stores an answer before it is sent, so that a repeat finds it. If storing fails, the answer is sent nevertheless, as it is true; a repeat
 * then learns that the outcome is unknown.
 */
function keeper({ call, relay }: KeyedCall, lease: string, { store, log }: IdempotencyTools) {
  return async (answer: KeptAnswer, isFinal: boolean): Promise<void> => {
    try {
      if (isFinal) await store.finish(call, lease, answer);
      else await store.release(call, lease);
    } catch (error) {
      log.warn('idempotency.answer-not-kept', { ...namesOf(relay), ...errorFields(error) });
    }
  };
}

async function replay(res: ServerResponse, { status, body }: KeptAnswer): Promise<void> {
  contextOf(res).ending = { status, errorCode: status >= 400 ? await errorCodeIn(body) : undefined };
  res.setHeader('Idempotency-Replayed', 'true');
  sendPrinted(res, { status, body });
}

async function errorCodeIn(body: Uint8Array): Promise<string | undefined> {
  const answer = await readInTurns(body);
  const code = answer instanceof JsonObject ? answer.get('error_code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

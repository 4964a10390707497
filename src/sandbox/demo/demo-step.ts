import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ReceivedCall } from '../partners/received-call-log';
import type { Leg } from './demo-table';

export type Partner = 'host app' | 'miniapp';

/** A call that a partner is expected to receive. */
export interface PartnerCall {
  readonly to: Partner;
  /** Method and path. */
  readonly call: string;
  /** Expected status of the answer; 200 by default. */
  readonly status?: number;
  /** Set when the call comes after the answer, so that the demo waits for it. */
  readonly follows?: true;
}

/** A call and its expected effects. */
export interface Step {
  readonly from: Partner | 'host page' | 'miniapp page' | 'operator' | 'user';
  /** The receiver; the service by default. */
  readonly to?: 'Pierhead' | 'host app';
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path with the query, which is not shown. */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Returns the problem of an answer with the expected status, or `undefined`. */
  readonly check: (body: unknown) => string | undefined;
  /** Extracts the calls that the answer itself lists. */
  readonly listedCalls?: (body: unknown) => readonly Leg[];
  /** The calls that the partners must receive as a result: exactly these, in this order. */
  readonly partnerCalls: readonly PartnerCall[];
}

/** Addresses of the participants of a demo run, and the partners' own records. */
export interface Parties {
  /** No trailing slash. */
  readonly urls: Readonly<Record<'Pierhead' | 'host app', string>>;
  readonly receivedCalls: Readonly<Record<Partner, () => readonly ReceivedCall[]>>;
  /** Maximum milliseconds to wait for a call that follows an answer. */
  readonly patienceMs: number;
}

const deadlineMs = 15_000;

/** Runs one step over real HTTP. Resolves to its own leg and the legs that it caused. Never throws. */
export async function takeStep(parties: Parties, step: Step): Promise<Leg[]> {
  const requestId = `demo-${randomUUID()}`;
  const to = step.to ?? 'Pierhead';
  const began = performance.now();
  const own = { from: step.from, to, call: `${step.method} ${step.path.replace(/\?.*/, '')}`, inner: false };
  try {
    const { status, body } = await send(parties.urls[to], step, requestId);
    const ms = performance.now() - began;
    const problem = status === step.status ? step.check(body) : `expected ${step.status}${codeIn(body)}`;
    const leg = { ...own, status, ms, ...(problem === undefined ? {} : { problem }) };
    return [leg, ...(step.listedCalls?.(body) ?? []), ...(await partnerLegs(parties, step, requestId))];
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'no answer';
    return [{ ...own, status: undefined, ms: performance.now() - began, problem }, ...(await partnerLegs(parties, step, requestId))];
  }
}

async function send(url: string, { method, path, body, headers }: Step, requestId: string): Promise<{ status: number; body: unknown }> {
  const all = { 'X-Request-Id': requestId, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers };
  const sent = body ? { body: JSON.stringify(body) } : {};
  const response = await fetch(url + path, {
    ...sent,
    method,
    headers: all,
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

type Arrived = ReceivedCall & Required<Pick<PartnerCall, 'to' | 'call'>>;

/** Compares the calls that the partners received with the step's request id to the expected ones. */
async function partnerLegs(parties: Parties, { partnerCalls }: Step, requestId: string): Promise<Leg[]> {
  const wanted = [...partnerCalls];
  const legs = (await arrivals(parties, partnerCalls, requestId)).map(({ to, call, status, ms }): Leg => {
    const [next] = wanted;
    const expected = next?.to === to && next.call === call;
    if (expected) wanted.shift();
    const due = (expected ? next.status : undefined) ?? 200;
    const problem = !expected ? 'not expected here' : status === due ? undefined : `expected ${due}`;
    return { from: 'Pierhead', to, call, status, ms, inner: true, ...(problem === undefined ? {} : { problem }) };
  });
  const missing = wanted.map(({ to, call }): Leg => {
    return { from: 'Pierhead', to, call, status: undefined, ms: 0, inner: true, problem: 'never came' };
  });
  return [...legs, ...missing];
}

/** The received calls. If calls follow the answer, waits until all have arrived or the time is over. */
async function arrivals({ receivedCalls, patienceMs }: Parties, expected: Step['partnerCalls'], requestId: string): Promise<Arrived[]> {
  const until = performance.now() + (expected.some(({ follows }) => follows) ? patienceMs : 0);
  for (;;) {
    const arrived = (['host app', 'miniapp'] as const)
      .flatMap((to) => receivedCalls[to]().map((entry) => ({ ...entry, to, call: `${entry.method} ${entry.path}` })))
      .filter((entry) => entry.requestId === requestId);
    if (arrived.length >= expected.length || performance.now() >= until) return arrived.sort((a, b) => a.at - b.at);
    await pause(10);
  }
}

function codeIn(body: unknown): string {
  const code = typeof body === 'object' && body !== null && 'error_code' in body ? body.error_code : undefined;
  return typeof code === 'string' ? `, got ${code}` : '';
}

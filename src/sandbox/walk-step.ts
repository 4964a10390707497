import { randomUUID } from 'node:crypto';
import type { ReceivedCall } from './call-ledger';
import type { Leg } from './walk-table';

type Partner = 'host app' | 'miniapp';

/** What the service answered to a step. */
export interface StepAnswer {
  readonly status: number;
  /** The JSON of the answer; `undefined` where there is none. */
  readonly body: unknown;
}

/** One call into the service, and all that must come of it. */
export interface Step {
  readonly from: Partner | 'host page' | 'miniapp page';
  readonly method: 'GET' | 'POST';
  /** With the query, which is not shown. */
  readonly path: string;
  readonly body?: object;
  /** `user:password`. */
  readonly basic?: string;
  readonly status: number;
  /** What is wrong with an answer that has this status; `undefined`: nothing. */
  readonly check: (body: unknown) => string | undefined;
  /** The calls that the partners must receive because of it: these, in this order, and no other. */
  readonly partnerCalls: readonly { readonly to: Partner; readonly call: string }[];
}

/** The partners' own books. */
export type Ledgers = Readonly<Record<Partner, () => readonly ReceivedCall[]>>;

const deadlineMs = 15_000;

/** Takes one step over real HTTP; its own leg first, then what the partners saw of it. Never throws. */
export async function takeStep(serviceUrl: string, ledgers: Ledgers, step: Step): Promise<Leg[]> {
  const requestId = `demo-${randomUUID()}`;
  const call = `${step.method} ${step.path.replace(/\?.*/, '')}`;
  const began = performance.now();
  const own = { from: step.from, to: 'Pierhead', call, inner: false };
  try {
    const { status, body } = await send(serviceUrl, step, requestId);
    const problem = status === step.status ? step.check(body) : `expected ${step.status}${codeIn(body)}`;
    const leg = { ...own, status, ms: performance.now() - began, ...(problem === undefined ? {} : { problem }) };
    return [leg, ...partnerLegs(ledgers, step, requestId)];
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'no answer';
    return [{ ...own, status: undefined, ms: performance.now() - began, problem }, ...partnerLegs(ledgers, step, requestId)];
  }
}

async function send(serviceUrl: string, { method, path, body, basic }: Step, requestId: string): Promise<StepAnswer> {
  const headers: Record<string, string> = { 'X-Request-Id': requestId };
  if (body) headers['Content-Type'] = 'application/json';
  if (basic !== undefined) headers.Authorization = `Basic ${Buffer.from(basic).toString('base64')}`;
  const sent = body ? { body: JSON.stringify(body) } : {};
  const response = await fetch(serviceUrl + path, { ...sent, method, headers, redirect: 'error', signal: AbortSignal.timeout(deadlineMs) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** What the partners received under the step's request id, against what they should have. */
function partnerLegs(ledgers: Ledgers, { partnerCalls }: Step, requestId: string): Leg[] {
  const received = (['host app', 'miniapp'] as const)
    .flatMap((to) => ledgers[to]().map((entry) => ({ ...entry, to, call: `${entry.method} ${entry.path}` })))
    .filter((entry) => entry.requestId === requestId)
    .sort((a, b) => a.at - b.at);
  const wanted = [...partnerCalls];
  const legs: Leg[] = received.map(({ to, call, status, ms }) => {
    const expected = wanted[0]?.to === to && wanted[0].call === call;
    if (expected) wanted.shift();
    const problem = !expected ? 'not expected here' : status === 200 ? undefined : 'expected 200';
    return { from: 'Pierhead', to, call, status, ms, inner: true, ...(problem === undefined ? {} : { problem }) };
  });
  const missing = wanted.map(({ to, call }) => ({
    from: 'Pierhead',
    to,
    call,
    status: undefined,
    ms: 0,
    inner: true,
    problem: 'never came',
  }));
  return [...legs, ...missing];
}

function codeIn(body: unknown): string {
  const code = typeof body === 'object' && body !== null && 'error_code' in body ? body.error_code : undefined;
  return typeof code === 'string' ? `, got ${code}` : '';
}

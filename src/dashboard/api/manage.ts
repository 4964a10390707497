import { unattended } from './attended';
import { Problem, type ProblemDocument } from './problem';
import { proof, signedOut, thisSession } from './proof';

export type QueryValue = string | number | boolean | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

export interface Asked {
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** It outlives its session, and the page: the way out. */
  readonly isLast?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const base = '/manage/v1';

/**
 * Asks the manage API; resolves to the response, whatever its type. Throws Problem for every status from 400 on, and an AbortError
 * where the session ends before the answer, or is over.
 */
export async function ask(
  method: Method,
  path: string,
  { query = {}, body, headers = {}, isLast = false, ...asked }: Asked = {},
): Promise<Response> {
  const signals = [...(isLast ? [] : [thisSession()]), ...(asked.signal ? [asked.signal] : [])];
  const signal = AbortSignal.any(signals);
  const json = body === undefined ? {} : { 'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const response = await fetch(`${base}${path}${queryText(query)}`, {
    method,
    headers: { Accept: 'application/json', ...json, ...proof(method), ...unattended(), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
    keepalive: isLast,
    credentials: 'same-origin',
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new Problem(0, { title: 'Pierhead cannot be reached' }, undefined);
  });
  if (response.ok) return response;
  const problem = await problemIn(response);
  if (response.status === 401 && !isLast) signedOut();
  throw problem;
}

/**
 * Asks the manage API for JSON; resolves to `undefined` where the answer has no body. Throws Problem. Never settles where the session
 * is over: a part that is still drawn asks once more before the gate takes it away.
 */
export async function manage<Answer>(method: Method, path: string, asked: Asked = {}): Promise<Answer> {
  if (thisSession().aborted) return new Promise<never>(() => undefined);
  const response = await ask(method, path, asked);
  const text = await response.text();
  // The answer's shape is the API's promise; this is the one place that takes it at its word.
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Joins parts into a path, each escaped. */
export const pathOf = (...parts: readonly string[]): string => parts.map((part) => `/${encodeURIComponent(part)}`).join('');

function queryText(query: Query): string {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return asked.length === 0 ? '' : `?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString()}`;
}

async function problemIn(response: Response): Promise<Problem> {
  const document = (await response.json().catch(() => ({}))) as ProblemDocument;
  return new Problem(response.status, document, document.request_id ?? response.headers.get('X-Request-Id') ?? undefined);
}

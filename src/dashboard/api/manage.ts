import { unattended } from './attended';
import { Problem, type ProblemDocument } from './problem';
import { proof, signedOut, thisSession } from './proof';

export type QueryValue = string | number | boolean | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

export interface RequestOptions {
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** The request outlives its session and the page (sign-out). */
  readonly isLast?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const base = '/manage/v1';

/**
 * Calls the manage API. Resolves to the response, whatever its type. Throws Problem for every status from 400 on, and an AbortError when
 * the session has ended or ends before the answer.
 */
export async function request(
  method: Method,
  path: string,
  { query = {}, body, headers = {}, isLast = false, ...options }: RequestOptions = {},
): Promise<Response> {
  const signals = [...(isLast ? [] : [thisSession()]), ...(options.signal ? [options.signal] : [])];
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
 * Calls the manage API. Resolves to the JSON of the answer, or to `undefined` where it has no body. Throws Problem. Never settles when the
 * session has ended: a mounted component may call once more before it is removed.
 */
export async function manage<Answer>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer> {
  if (thisSession().aborted) return new Promise<never>(() => undefined);
  const response = await request(method, path, options);
  const text = await response.text();
  // The only place that trusts the shape of the API's answers without a check.
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Escapes parts and joins them into a path. */
export const pathOf = (...parts: readonly string[]): string => parts.map((part) => `/${encodeURIComponent(part)}`).join('');

function queryText(query: Query): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return present.length === 0 ? '' : `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()}`;
}

async function problemIn(response: Response): Promise<Problem> {
  const document = (await response.json().catch(() => ({}))) as ProblemDocument;
  return new Problem(response.status, document, document.request_id ?? response.headers.get('X-Request-Id') ?? undefined);
}

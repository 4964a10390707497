import { randomUUID } from 'node:crypto';
import { setTimeout as rest } from 'node:timers/promises';
import type { AgreedSignature } from './agreed-signature';
import { basicHeader, type BasicCredentials } from './basic';
import type { JsonMembers } from './bodies';
import { sign } from './sign';

/** Address of the platform and credentials for the calls. */
export interface ApiSettings {
  /** The platform's public address: `https://pay.example`, without a trailing slash. */
  readonly baseUrl: string;
  /** Base of the signed URLs, where the platform is called at another address than its public one. */
  readonly signedBaseUrl?: string;
  /** When a signature is agreed on, every attempt of every call is signed anew. */
  readonly signature?: AgreedSignature;
  /** Attempts per call, 1 to 10; 4 by default. Later attempts wait 0.5 s, 1 s, 2 s and so on, or as long as the platform asks for. */
  readonly attempts?: number;
  /** Milliseconds for one attempt; 30,000 by default. */
  readonly timeoutMs?: number;
}

/** Options of one call. */
export interface CallOptions {
  /**
   * Makes repeats within 24 hours count once: 1 to 255 printable ASCII characters, such as your order's id. By default each call gets a new
   * key, which its attempts share.
   */
  readonly idempotencyKey?: string;
  /** 1 to 128 of `A-Z a-z 0-9 . _ -`; the same at every party. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

/** The platform refused the call, or did not answer. Then `status` is 0, and the outcome is unknown. */
export class ApiRefused extends Error {
  constructor(
    readonly status: number,
    /** `error_code`; a partner's own code is passed through. */
    readonly code: string,
    message: string,
    /** `custom_attributes` of the answer: `request_id`, `retryable`, `side`, `step`, `fields`, `outcome` and others. */
    readonly attributes: JsonMembers = {},
    options: ErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'ApiRefused';
  }
}

/** A call before it is signed. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path including the query. */
  readonly path: string;
  readonly body?: object;
  readonly basic?: BasicCredentials | undefined;
  /** Overrides the settings' signature; `null` disables signing. */
  readonly signature?: AgreedSignature | null | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Temporary refusals after which a call can be repeated safely, because each attempt has the same key. */
const passing: ReadonlySet<string> = new Set(['SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'IDEMPOTENCY_IN_PROGRESS']);

/** Calls `/api/v1/`. A body is serialised once, so that every attempt sends exactly the signed bytes. */
export class ApiCalls {
  /** Throws TypeError where `attempts` is not 1 to 10. */
  constructor(protected readonly api: ApiSettings) {
    const { attempts = 4 } = api;
    if (!Number.isInteger(attempts) || attempts < 1 || attempts > 10) throw new TypeError('attempts must be 1 to 10');
  }

  /** Resolves to the JSON of a 2xx answer. Throws ApiRefused. */
  protected async call<Answer>(call: ApiCall, options: CallOptions = {}): Promise<Answer> {
    const { attempts = 4 } = this.api;
    const { idempotencyKey = randomUUID(), requestId = randomUUID() } = options;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const common = { 'X-Request-Id': requestId, ...(call.method !== 'GET' && { 'Idempotency-Key': idempotencyKey }) };
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.attempt({ ...call, headers: { ...call.headers, ...common } }, body, options.signal)) as Answer;
      } catch (error) {
        const waitMs = error instanceof Deferred ? (error.afterMs ?? 250 * 2 ** attempt) : undefined;
        const failure = error instanceof Deferred ? error.refused : error;
        if (waitMs === undefined || attempt >= attempts || options.signal?.aborted) throw failure;
        await rest(waitMs, undefined, { ...(options.signal && { signal: options.signal }) });
      }
    }
  }

  private async attempt(
    { method, path, basic, signature, headers }: ApiCall,
    body: string | undefined,
    given?: AbortSignal,
  ): Promise<unknown> {
    const { baseUrl, signedBaseUrl = baseUrl } = this.api;
    const url = baseUrl + path;
    const agreed = signature === undefined ? this.api.signature : signature;
    const proof = {
      ...(basic && { Authorization: basicHeader(basic) }),
      ...(agreed && (await sign({ method, url: signedBaseUrl + path, ...(body !== undefined && { body }) }, agreed))),
    };
    const signal = AbortSignal.any([AbortSignal.timeout(this.api.timeoutMs ?? 30_000), ...(given ? [given] : [])]);
    const sent = { 'Content-Type': 'application/json', ...headers, ...proof };
    let answer: { response: Response; text: string };
    try {
      const response = await fetch(url, { method, headers: sent, redirect: 'error', signal, ...(body !== undefined && { body }) });
      answer = { response, text: await response.text() };
    } catch (error) {
      throw new Deferred(new ApiRefused(0, 'UNEXPECTED_RESPONSE_ERROR', 'The platform did not answer', {}, { cause: error }));
    }
    return readAnswer(answer);
  }
}

/** A failure after which the call may be tried again. */
class Deferred extends Error {
  constructor(
    readonly refused: ApiRefused,
    readonly afterMs?: number,
  ) {
    super(refused.message);
  }
}

function readAnswer({ response: { ok, status, headers }, text }: { response: Response; text: string }): unknown {
  const json = jsonIn(text);
  if (ok && json !== undefined) return json;
  const { error_code: code, error_message: message, custom_attributes: attributes } = (json ?? {}) as Readonly<Record<string, unknown>>;
  const refused = new ApiRefused(
    status,
    typeof code === 'string' ? code : 'UNKNOWN_ERROR',
    typeof message === 'string' ? message : `The platform answered ${status}`,
    typeof attributes === 'object' && attributes !== null ? (attributes as JsonMembers) : {},
  );
  if (!passing.has(refused.code) && status !== 429 && status !== 503) throw refused;
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  throw new Deferred(refused, seconds >= 0 && seconds <= 60 ? seconds * 1000 : undefined);
}

function jsonIn(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import { printJson, type JsonObject } from '../domain/shared/json';
import type { AgreedSecret } from './agreed-signature';
import { memberOf } from './read-body';
import { Refusal } from './refusal';
import { signatureHeaders } from './sign-call';

/** Where a partner's back end finds the service, and what it proves itself with. */
export interface CallsService {
  /** Without a final slash. */
  readonly serviceUrl: string;
  /** User name and password of Basic; absent: the call proves itself otherwise. */
  readonly basic?: { readonly user: string; readonly secret: string };
  /** What the call is signed with, and the base URL that the service makes signed URLs of; absent: it is not signed. */
  readonly signature?: { readonly agreed: AgreedSecret; readonly publicUrl: string };
}

const deadlineMs = 30_000;

/**
 * Calls the service as a partner's back end does; resolves to the JSON of its answer. Throws a Refusal: 502 with the service's own
 * code where it refuses, 504 where it does not answer.
 */
export async function callService({ serviceUrl, basic, signature }: CallsService, path: string, json: JsonObject): Promise<unknown> {
  const [method, body] = ['POST', printJson(json)];
  const credentials = {
    ...(basic && { Authorization: `Basic ${Buffer.from(`${basic.user}:${basic.secret}`).toString('base64')}` }),
    ...(signature && signatureHeaders(signature.agreed, { method, url: signature.publicUrl + path, body, at: Date.now() })),
  };
  const sent = {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': `playground-${randomUUID()}`, ...credentials },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  } as const;
  const { ok, answer } = await fetch(serviceUrl + path, sent).then(
    async (response) => ({ ok: response.ok, answer: await response.json() }),
    () => {
      throw new Refusal(504, 'UNEXPECTED_RESPONSE_ERROR', 'The service did not answer');
    },
  );
  if (ok) return answer;
  const [code, message] = [memberOf(answer, 'error_code'), memberOf(answer, 'error_message')];
  throw new Refusal(502, typeof code === 'string' ? code : 'UNKNOWN_ERROR', typeof message === 'string' ? message : 'No reason was given');
}

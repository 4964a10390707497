import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../domain/shared/json';
import { printJson } from '../domain/shared/print-json';
import type { AgreedSecret } from './signing/agreed-signature';
import { memberOf } from './read-body';
import { Refusal } from './partners/refusal';
import { signatureHeaders } from './signing/sign-call';

/** Address of the service and credentials for a partner's calls. */
export interface CallsService {
  /** No trailing slash. */
  readonly serviceUrl: string;
  /** User name and password for Basic. Absent when the call authenticates otherwise. */
  readonly basic?: { readonly user: string; readonly secret: string };
  /** The signature, and the base URL for signed URLs. Absent when the call is not signed. */
  readonly signature?: { readonly agreed: AgreedSecret; readonly publicUrl: string };
}

const deadlineMs = 30_000;

/**
 * Calls the service like a partner's back end. Resolves to the JSON of its answer. Throws a Refusal: 502 with the service's own code where
 * it refuses, 504 where it does not answer.
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

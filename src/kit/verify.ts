import { nodeSignatureText } from '../adapters/out/signing/signature-text';
import { signingProviders } from '../adapters/out/signing/signing-providers';
import { headerOnce } from '../domain/credentials/check';
import { checkSignature, type SignatureTools } from '../domain/credentials/signing/signature-check';
import { DomainError } from '../domain/shared/errors';
import { readAgreement, type AgreedSignature } from './agreed-signature';
import { CallRefused } from './call-refused';
import { repositoryOver, MemoryNonceStore, type NonceStore } from './nonces';
import { bytesOf } from './sign';

/** Alternating names and values like Node's `rawHeaders`, or an object. Only the first form shows a doubled header. */
export type SentHeaders = readonly string[] | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A call of the platform as it was received. */
export interface ReceivedCall {
  readonly method: string;
  /** The URL exactly as registered at the platform, not as a proxy has rewritten it. */
  readonly url: string;
  readonly headers: SentHeaders;
  /** Exactly the received bytes, before any parsing; absent when there was no body. */
  readonly body?: string | Uint8Array;
}

/** Options of a check. */
export interface VerifyOptions {
  /** Used where the agreement has nonces; this process's memory by default. */
  readonly nonces?: NonceStore;
  /** Maximum seconds between a timestamp and the clock; 300 by default. */
  readonly windowS?: number;
  /** Milliseconds since the epoch; now by default. */
  readonly now?: number;
}

/**
 * Checks that the platform signed exactly these bytes for this URL, within the time window and, where agreed on, with a new nonce. Throws
 * CallRefused (401, or 400 for a doubled header), and TypeError where the agreement is incomplete.
 */
export async function verify(call: ReceivedCall, agreed: AgreedSignature, options: VerifyOptions = {}): Promise<void> {
  const { partner } = readAgreement(agreed, 'in');
  const { windowS = 300, now = Date.now() } = options;
  const rule = { partner, merchantId: agreed.merchant_id, calledAt: call.url };
  const tools: SignatureTools = { ...common, windowS, nonces: repositoryOver(noncesFor(agreed, options.nonces)) };
  const request = {
    ...{ method: call.method, target: '', remoteAddress: '', body: bytesOf(call.body) },
    rawHeaders: rawHeadersOf(call.headers),
  };
  try {
    await checkSignature(rule, tools)(request, now);
  } catch (error) {
    throw asRefusal(error);
  }
}

const common = { providers: signingProviders, signatureText: nodeSignatureText, uses: { used: () => undefined }, publicBaseUrl: '' };

const own = new WeakMap<AgreedSignature, NonceStore>();

function noncesFor(agreed: AgreedSignature, given: NonceStore | undefined): NonceStore {
  // A delivery's id is the same on every attempt, so a repeated one must not be refused as a used nonce.
  if (agreed.header_names?.nonce?.toLowerCase() === 'webhook-id') return { use: () => true };
  const store = given ?? own.get(agreed) ?? new MemoryNonceStore();
  own.set(agreed, store);
  return store;
}

const rawHeadersOf = (headers: SentHeaders): readonly string[] =>
  isRaw(headers) ? headers : Object.entries(headers).flatMap(([name, given]) => [given ?? []].flat().flatMap((value) => [name, value]));

/** The single value of a header; `undefined` when it was not sent. Throws CallRefused where it is doubled. */
export function headerIn(headers: SentHeaders, name: string): string | undefined {
  try {
    return headerOnce({ rawHeaders: rawHeadersOf(headers) }, name);
  } catch (error) {
    throw asRefusal(error);
  }
}

const isRaw = (headers: SentHeaders): headers is readonly string[] => Array.isArray(headers);

function asRefusal(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const { kind, code, message, details } = error;
  return new CallRefused(code, message, { status: kind === 'unauthenticated' ? 401 : 400, reason: details.cause });
}

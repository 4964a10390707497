import { nodeSignatureText } from '../adapters/out/signing/signature-text';
import { signingProviders } from '../adapters/out/signing/signing-providers';
import { headerOnce } from '../domain/credentials/check';
import { checkSignature, type SignatureTools } from '../domain/credentials/signature-check';
import { DomainError } from '../domain/shared/errors';
import { readAgreement, type AgreedSignature } from './agreed-signature';
import { CallRefused } from './call-refused';
import { ledgerOver, MemoryNonceStore, type NonceStore } from './nonces';
import { bytesOf } from './sign';

/** Names and values that alternate, as Node's `rawHeaders` has them, or by name. A doubled header is seen in the first alone. */
export type SentHeaders = readonly string[] | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A call of the platform as it came in. */
export interface ReceivedCall {
  readonly method: string;
  /** The URL that is registered at the platform, character for character: not what a proxy has made of it. */
  readonly url: string;
  readonly headers: SentHeaders;
  /** The very bytes, before anything parsed them; absent: none came. */
  readonly body?: string | Uint8Array;
}

/** Options of a check. */
export interface VerifyOptions {
  /** Where the agreement has nonces; this process's memory unless given. */
  readonly nonces?: NonceStore;
  /** Seconds by which a timestamp may differ from the clock; 300. */
  readonly windowS?: number;
  /** Milliseconds since the epoch; now. */
  readonly now?: number;
}

/**
 * Passes if the platform signed this call: these bytes, for this URL, within the time window, with a new nonce where nonces
 * are agreed on. Throws CallRefused (401, or 400 for a doubled header), and TypeError where the agreement is not complete.
 */
export async function verify(call: ReceivedCall, agreed: AgreedSignature, options: VerifyOptions = {}): Promise<void> {
  const { partner } = readAgreement(agreed, 'in');
  const { windowS = 300, now = Date.now() } = options;
  const rule = { partner, merchantId: agreed.merchant_id, calledAt: call.url };
  const tools: SignatureTools = { ...common, windowS, nonces: ledgerOver(noncesFor(agreed, options.nonces)) };
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
  // The id of a delivery is the same on every attempt: it is there to be known again, not to be refused.
  if (agreed.header_names?.nonce?.toLowerCase() === 'webhook-id') return { use: () => true };
  const store = given ?? own.get(agreed) ?? new MemoryNonceStore();
  own.set(agreed, store);
  return store;
}

const rawHeadersOf = (headers: SentHeaders): readonly string[] =>
  isRaw(headers) ? headers : Object.entries(headers).flatMap(([name, given]) => [given ?? []].flat().flatMap((value) => [name, value]));

/** The one value of a header; `undefined`: not sent. Throws CallRefused where it is doubled. */
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

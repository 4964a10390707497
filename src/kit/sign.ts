import { nodeSignatureText } from '../adapters/out/signing/signature-text';
import { signingProviders } from '../adapters/out/signing/signing-providers';
import { RandomSecretGenerator } from '../adapters/out/system/secret-generator';
import { SignRequest } from '../domain/credentials/signing/sign-request';
import { DomainError } from '../domain/shared/errors';
import { readAgreement, type AgreedSignature } from './agreed-signature';

/** A call before it is sent. */
export interface CallToSign {
  /** In upper case. */
  readonly method: string;
  /** The complete URL as it is called: scheme, host, path with its final slash, query. */
  readonly url: string;
  /** Exactly the bytes that will be sent; absent when there is no body. Text is sent as UTF-8. */
  readonly body?: string | Uint8Array;
}

/**
 * Returns the headers that sign a call to the platform. Sign every repeat anew. `at`: milliseconds since the epoch, now by default. Throws
 * TypeError where the agreement is incomplete.
 */
export async function sign(call: CallToSign, agreed: AgreedSignature, at: number = Date.now()): Promise<Readonly<Record<string, string>>> {
  const { partner } = readAgreement(agreed, 'out');
  const request = { method: call.method, url: call.url, body: bytesOf(call.body), headers: {} };
  const signing = new SignRequest({ ...tools, clock: { now: () => at } });
  const made = signing.execute({ receiver: partner, merchantId: agreed.merchant_id, request });
  return made.catch((error: unknown) => {
    // The agreement was complete, so the key must be the cause.
    throw error instanceof DomainError ? new TypeError('The key cannot be used with the algorithm') : error;
  });
}

const tools = {
  providers: signingProviders,
  signatureText: nodeSignatureText,
  secrets: new RandomSecretGenerator(),
  uses: { used: () => undefined },
};

/** Returns bytes unchanged and encodes text as UTF-8. */
export const bytesOf = (body: string | Uint8Array = ''): Uint8Array => (typeof body === 'string' ? Buffer.from(body, 'utf8') : body);

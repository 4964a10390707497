import { nodeSignatureText } from '../adapters/out/signing/signature-text';
import { signingProviders } from '../adapters/out/signing/signing-providers';
import { RandomSecretSource } from '../adapters/out/system/secret-source';
import { SignRequest } from '../domain/credentials/sign-request';
import { DomainError } from '../domain/shared/errors';
import { readAgreement, type AgreedSignature } from './agreed-signature';

/** A call as it will be sent. */
export interface CallToSign {
  /** In capitals. */
  readonly method: string;
  /** Whole, as it is called: scheme, host, path with its final slash, query. */
  readonly url: string;
  /** The very bytes that will be sent; absent: none. Text is sent as UTF-8. */
  readonly body?: string | Uint8Array;
}

/**
 * The headers that prove a call to the platform. A call that is repeated is signed anew. `at`: milliseconds since the epoch,
 * now unless given. Throws TypeError where the agreement is not complete.
 */
export async function sign(call: CallToSign, agreed: AgreedSignature, at: number = Date.now()): Promise<Readonly<Record<string, string>>> {
  const { partner } = readAgreement(agreed, 'out');
  const request = { method: call.method, url: call.url, body: bytesOf(call.body), headers: {} };
  const signing = new SignRequest({ ...tools, clock: { now: () => at } });
  const made = signing.execute({ receiver: partner, merchantId: agreed.merchant_id, request });
  return made.catch((error: unknown) => {
    // The agreement is complete, as was just seen: it is the key.
    throw error instanceof DomainError ? new TypeError('The key cannot be used with the algorithm') : error;
  });
}

const tools = {
  providers: signingProviders,
  signatureText: nodeSignatureText,
  secrets: new RandomSecretSource(),
  uses: { used: () => undefined },
};

/** Bytes as they are, text in UTF-8. */
export const bytesOf = (body: string | Uint8Array = ''): Uint8Array => (typeof body === 'string' ? Buffer.from(body, 'utf8') : body);

import { constants, createHmac, createPublicKey, verify } from 'node:crypto';
import type { Request } from 'express';
import type { AgreedSignature } from './agreed-signature';
import { isSameSecret } from './platform-proof';
import { Recent } from '../partners/recent';
import { Refusal } from '../partners/refusal';
import { defaultTemplate, signedText } from './signed-text';

const windowS = 300;

const refused = (message: string): Refusal => new Refusal(401, 'INVALID_SIGNATURE', message);

/**
 * Checks the service's signatures. It is implemented from the contract and shares no code with the service, so that it can detect errors
 * there.
 */
export class SignatureProof {
  private readonly nonces = new Recent<true>();

  constructor(
    private readonly agreed: AgreedSignature,
    /** `now`: milliseconds since the epoch. `url`: the partner's address, without a trailing slash. */
    private readonly at: { readonly now: () => number; readonly url: () => string },
  ) {}

  /** Throws a 401 unless the request has a valid signature that was not used before. The body must still be the raw bytes. */
  require(request: Request): void {
    const { apiClientId, payloadTemplate: template = defaultTemplate } = this.agreed;
    const [timestamp, nonce] = [header(request, 'X-Timestamp'), template.includes('{nonce}') ? header(request, 'X-Nonce') : ''];
    if (header(request, 'X-Client-Id') !== apiClientId) throw refused('X-Client-Id is not the agreed Api client ID');
    if (!/^[1-9]\d{0,11}$/.test(timestamp)) throw refused('The timestamp is not a plain number of seconds');
    if (Math.abs(Number(timestamp) - this.at.now() / 1000) > windowS) throw refused('The timestamp is not within 300 s');
    const target = request.originalUrl;
    const values: Readonly<Record<string, string>> = {
      ...{ request_method: request.method, client_id: apiClientId, timestamp, nonce },
      url: this.agreed.urlForm === 'path' ? target : this.at.url() + target,
    };
    const body: unknown = request.body;
    const text = signedText(template, values, body instanceof Uint8Array ? body : new Uint8Array());
    if (!this.verifies(text, header(request, 'X-Signature'))) throw refused('The signature does not fit');
    if (nonce === '') return;
    if (this.nonces.get(nonce)) throw refused('The nonce was used before');
    this.nonces.set(nonce, true);
  }

  private verifies(text: Buffer, signature: string): boolean {
    const { algorithm, key } = this.agreed;
    if (algorithm === 'HMAC') return isSameSecret(createHmac('sha256', key).update(text).digest('base64'), signature);
    const bytes = Buffer.from(signature, 'base64');
    if (bytes.toString('base64') !== signature) return false;
    return verify('sha256', text, { key: createPublicKey(key), padding: constants.RSA_PKCS1_PADDING }, bytes);
  }
}

function header(request: Request, name: string): string {
  const value = request.get(name);
  if (!value) throw new Refusal(401, 'MISSING_HEADER', `Missing required header: ${name}`);
  return value;
}

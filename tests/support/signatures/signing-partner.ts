import { constants, createHmac, createPublicKey, generateKeyPairSync, randomUUID, sign, verify, type KeyObject } from 'node:crypto';

/** The `signature` member of the manage API, as far as it says how a text is made and signed. */
export interface AgreedSettings {
  readonly algorithm?: 'HMAC' | 'RSA2' | 'ECDSA';
  readonly hash?: string;
  readonly encoding?: 'base64' | 'base64url' | 'hex';
  readonly timestamp_precision?: 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';
  readonly nonce_length?: number;
  readonly identity?: string;
  readonly header_names?: Readonly<Record<string, string>>;
  readonly payload_template?: string;
  readonly signature_template?: string;
  readonly api_client_id?: string;
}

/** What stands in the placeholders of one request. */
export interface SignedRequest {
  readonly method: string;
  readonly url: string;
  readonly timestamp: string;
  readonly payload?: string | Buffer;
  readonly nonce?: string;
  readonly identity?: string;
  readonly merchant_id?: string;
}

const defaultNames: Readonly<Record<string, string>> = {
  signature: 'X-Signature',
  timestamp: 'X-Timestamp',
  client_id: 'X-Client-Id',
  nonce: 'X-Nonce',
  identity: 'X-Identity',
  merchant_id: 'X-Merchant-Id',
};

/** The names of a partner's headers, the default ones where it has no others. */
export const namesOf = ({ header_names = {} }: AgreedSettings): Readonly<Record<string, string>> => ({ ...defaultNames, ...header_names });

const units = { seconds: 1n, milliseconds: 1_000n, microseconds: 1_000_000n, nanoseconds: 1_000_000_000n };

/** A clock's time, in milliseconds since the epoch, as the partner writes it. */
export const timestampOf = (ms: number, { timestamp_precision: precision = 'seconds' }: AgreedSettings = {}): string =>
  ((BigInt(ms) * units[precision]) / 1000n).toString();

/** The signed text: written down from contract/signatures#signed-text, with nothing of the service. */
export function textToSign(agreed: AgreedSettings, { method, payload = '', ...values }: SignedRequest): Buffer {
  const { payload_template: template = '{request_method}.{url}.{client_id}.{timestamp}.{payload}', api_client_id = '' } = agreed;
  const filled: Record<string, string | Buffer> = {
    request_method: method,
    client_id: api_client_id,
    identity: agreed.identity ?? '',
    payload,
  };
  for (const [name, value] of Object.entries(values)) filled[name] = value;
  return Buffer.concat(
    template.split(/(\{[a-z_]+\})/).map((piece) => Buffer.from(piece.startsWith('{') ? (filled[piece.slice(1, -1)] ?? '') : piece)),
  );
}

/** A partner's end of a signature, over node:crypto alone. */
export class SigningPartner {
  private constructor(
    readonly agreed: AgreedSettings,
    private readonly secret: string | KeyObject,
    /** Settings for the service, as the manage API names them. */
    readonly handedOver: Readonly<Record<string, string>>,
  ) {}

  static withSecret(secret: string, agreed: Omit<AgreedSettings, 'algorithm'> = {}): SigningPartner {
    return new SigningPartner({ api_client_id: 'cid_1', ...agreed, algorithm: 'HMAC' }, secret, { hmac_secret: secret });
  }

  static withRsaKey(agreed: Omit<AgreedSettings, 'algorithm'> = {}): SigningPartner {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return new SigningPartner({ api_client_id: 'cid_1', ...agreed, algorithm: 'RSA2' }, privateKey, {
      partner_public_key: pemOf(publicKey),
    });
  }

  static withEcKey(namedCurve: string, agreed: Omit<AgreedSettings, 'algorithm'> = {}): SigningPartner {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
    return new SigningPartner({ api_client_id: 'cid_1', ...agreed, algorithm: 'ECDSA' }, privateKey, {
      partner_public_key: pemOf(publicKey),
    });
  }

  /** The same partner with other settings, by the same key. */
  agreeing(change: AgreedSettings): SigningPartner {
    return new SigningPartner({ ...this.agreed, ...change }, this.secret, this.handedOver);
  }

  /** The `signature` member for the manage API, signing on. */
  get settings(): Readonly<Record<string, unknown>> {
    return { enabled: true, ...this.agreed, ...this.handedOver };
  }

  signature(text: Buffer, dsaEncoding: 'der' | 'ieee-p1363' = 'der'): string {
    const { encoding = 'base64', signature_template: template = '{signature}' } = this.agreed;
    return template.split('{signature}').join(this.sign(text, dsaEncoding).toString(encoding));
  }

  /** The headers of a request; its time, in milliseconds, is written in the precision that was agreed on. */
  headers(request: Omit<SignedRequest, 'timestamp'> & { readonly at: number }): Record<string, string> {
    const { at, ...rest } = request;
    const timestamp = timestampOf(at, this.agreed);
    const template = this.agreed.payload_template ?? '';
    const nonce = request.nonce ?? (template.includes('{nonce}') || this.agreed.nonce_length ? randomUUID() : undefined);
    const text = textToSign(this.agreed, { ...rest, timestamp, ...(nonce !== undefined && { nonce }) });
    const names = namesOf(this.agreed);
    const values = {
      signature: this.signature(text),
      timestamp,
      client_id: this.agreed.api_client_id,
      nonce,
      identity: this.agreed.identity,
      merchant_id: request.merchant_id,
    };
    const headers: Record<string, string> = {};
    for (const [member, value] of Object.entries(values)) if (value !== undefined) headers[names[member] ?? member] = value;
    return headers;
  }

  /** Whether the service, that has this platform key or shares this secret, signed the text. */
  receives(text: Buffer, signature: string, platformKey?: string): boolean {
    const { encoding = 'base64', signature_template: template = '{signature}' } = this.agreed;
    const [before = '', after = ''] = template.split('{signature}');
    const bytes = Buffer.from(signature.slice(before.length, signature.length - after.length), encoding);
    if (typeof this.secret === 'string') return this.sign(text, 'der').equals(bytes);
    const key = createPublicKey(
      platformKey?.startsWith('-----') ? platformKey : { key: Buffer.from(platformKey ?? '', 'base64'), format: 'der', type: 'spki' },
    );
    return verify(this.hashName, text, { key, padding: constants.RSA_PKCS1_PADDING }, bytes);
  }

  private get hashName(): string {
    return (this.agreed.hash ?? 'SHA-256').replace('-', '').toLowerCase();
  }

  private sign(text: Buffer, dsaEncoding: 'der' | 'ieee-p1363'): Buffer {
    if (typeof this.secret === 'string') return createHmac(this.hashName, this.secret).update(text).digest();
    return sign(this.hashName, text, { key: this.secret, padding: constants.RSA_PKCS1_PADDING, dsaEncoding });
  }
}

const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }) as string;

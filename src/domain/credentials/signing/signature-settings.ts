export type SignatureAlgorithm = 'HMAC' | 'RSA2' | 'ECDSA';
export type SignatureHash = 'SHA-224' | 'SHA-256' | 'SHA-384' | 'SHA-512' | 'SHA-1' | 'MD5';
export type SignatureEncoding = 'base64' | 'base64url' | 'hex';
export type TimestampPrecision = 'seconds' | 'milliseconds' | 'microseconds' | 'nanoseconds';

/** Names of the headers for the signature and its accompanying values. */
export interface SignatureHeaderNames {
  readonly signature: string;
  readonly timestamp: string;
  readonly clientId: string;
  readonly nonce: string;
  readonly identity: string;
  readonly merchantId: string;
}

/** How a partner signs, and how calls to it are signed (contract/signatures#settings). Secrets and keys are credentials, not settings. */
export interface SignatureSettings {
  readonly enabled: boolean;
  readonly algorithm?: SignatureAlgorithm;
  readonly hash: SignatureHash;
  readonly encoding: SignatureEncoding;
  readonly timestampPrecision: TimestampPrecision;
  /** Length of the nonce in characters, 16 to 64; 0: no nonce. */
  readonly nonceLength: number;
  readonly identity?: string;
  readonly headerNames: SignatureHeaderNames;
  readonly payloadTemplate: string;
  readonly signatureTemplate: string;
  readonly urlForm: 'full' | 'path';
  readonly payloadSpaces: boolean;
  readonly payloadSortKeys: boolean;
  /** Whether bodies are sent and signed with every character above U+007F as `\uXXXX` (contract/signatures#settings). */
  readonly payloadAscii: boolean;
  readonly keyFormat: 'PEM' | 'DER';
  readonly apiClientId?: string;
  /** Whether the owner accepts a weak hash, a short HMAC secret or a weak template. */
  readonly acknowledgeWeak: boolean;
  /** Whether deliveries also carry a Standard Webhooks signature, made with the HMAC secret. */
  readonly webhookSignature: boolean;
}

export const defaultSignatureSettings: SignatureSettings = {
  enabled: false,
  hash: 'SHA-256',
  encoding: 'base64',
  timestampPrecision: 'seconds',
  nonceLength: 0,
  headerNames: {
    signature: 'X-Signature',
    timestamp: 'X-Timestamp',
    clientId: 'X-Client-Id',
    nonce: 'X-Nonce',
    identity: 'X-Identity',
    merchantId: 'X-Merchant-Id',
  },
  payloadTemplate: '{request_method}.{url}.{client_id}.{timestamp}.{payload}',
  signatureTemplate: '{signature}',
  urlForm: 'full',
  payloadSpaces: false,
  payloadSortKeys: false,
  payloadAscii: false,
  keyFormat: 'PEM',
  acknowledgeWeak: false,
  webhookSignature: false,
};

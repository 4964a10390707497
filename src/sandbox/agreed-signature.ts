/** How the service signs toward a sandbox partner, with the default headers, SHA-256 and base64 of the contract. */
export interface AgreedSignature {
  readonly algorithm: 'HMAC' | 'RSA2' | 'ECDSA';
  /** The shared secret, or the platform's public key in PEM. */
  readonly key: string;
  readonly apiClientId: string;
  /** The contract's default unless given. */
  readonly payloadTemplate?: string;
  /** `full` unless given. */
  readonly urlForm?: 'full' | 'path';
}

/** One secret that signs in both directions, with the contract's default template and full URLs. */
export interface AgreedSecret extends Pick<AgreedSignature, 'key' | 'apiClientId'> {
  readonly algorithm: 'HMAC';
}

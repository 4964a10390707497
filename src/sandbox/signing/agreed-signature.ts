/** How the service signs calls to a sandbox partner, with the contract's default headers, SHA-256 and base64. */
export interface AgreedSignature {
  readonly algorithm: 'HMAC' | 'RSA2' | 'ECDSA';
  /** The shared secret, or the platform's public key as PEM. */
  readonly key: string;
  readonly apiClientId: string;
  /** The contract's template by default. */
  readonly payloadTemplate?: string;
  /** `full` by default. */
  readonly urlForm?: 'full' | 'path';
}

/** One secret that signs in both directions, with the contract's default template and full URLs. */
export interface AgreedSecret extends Pick<AgreedSignature, 'key' | 'apiClientId'> {
  readonly algorithm: 'HMAC';
}

/** The provable mistakes of a signer. The codes are part of the explainer's API. */
export const causeCodes = [
  ...(['url-form', 'url-query', 'url-scheme', 'url-slash', 'url-host', 'url-encoding', 'url-path', 'method-case', 'method'] as const),
  ...(['body-reserialised', 'body-sorted', 'body-empty', 'body-newline', 'body-bom', 'body-escaped-unicode'] as const),
  ...(['body-charset', 'body-encoded', 'body-part', 'body-digest'] as const),
  ...(['timestamp-unit', 'timestamp-skew', 'timestamp-mismatch', 'timestamp-form'] as const),
  ...(['hash', 'encoding', 'double-hash', 'secret-base64', 'secret-hex', 'secret-newline', 'secret-empty', 'secret-key'] as const),
  ...(['previous-key', 'other-app-key', 'rsa-pss', 'rsa-bare-digest', 'ecdsa-raw-unpadded', 'ecdsa-der-broken'] as const),
  ...(['header-name', 'missing-header', 'doubled-header', 'basic-instead-of-signature', 'signature-template'] as const),
  ...(['client-id', 'client-id-signed', 'identity', 'merchant-id', 'nonce-form', 'nonce-mismatch', 'nonce-used'] as const),
  ...(['missing-placeholder', 'template-order', 'template-separator', 'url-target'] as const),
] as const;
export type CauseCode = (typeof causeCodes)[number];

/** One way in which a request differs from the agreed settings. */
export interface Deviation {
  /** Empty when it does not differ. */
  readonly codes: readonly CauseCode[];
  /** Addresses the sender, in the second person, without a full stop. Holds no secret and no signature. */
  readonly sentence: string;
  /** How unlikely it is, from 0; likelier deviations are tried first. */
  readonly cost: number;
}

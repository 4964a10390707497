import type {
  SignatureAlgorithm,
  SignatureEncoding,
  SignatureHash,
  SignatureSettings,
  TimestampPrecision,
} from '../../signing/signature-settings';
import { prepareSigning } from '../../signing/signing-string';
import type { Placeholder, TemplatePart } from '../../signing/signing-template';

/** A header to send, and its value. */
export interface SampleHeader {
  readonly name: string;
  readonly value: Exclude<Placeholder, 'payload' | 'url' | 'request_method'> | 'signature';
}

/** The steps of an app's signing code, independent of the language. */
export interface SamplePlan {
  readonly algorithm: SignatureAlgorithm;
  readonly hash: SignatureHash;
  readonly encoding: SignatureEncoding;
  readonly precision: TimestampPrecision;
  /** Length in characters; 0: no nonce. */
  readonly nonceLength: number;
  readonly parts: readonly TemplatePart[];
  readonly headers: readonly SampleHeader[];
  /** Text around the signature. */
  readonly before: string;
  readonly after: string;
  readonly urlForm: SignatureSettings['urlForm'];
  readonly keyFormat: SignatureSettings['keyFormat'];
  /** Values that are the same on each call; absent when not set yet. */
  readonly fixed: Readonly<Record<'client_id' | 'identity' | 'merchant_id', string>>;
}

/** Plans the signing code for an app's settings. */
export function planOf(settings: SignatureSettings, merchantId: string | undefined): SamplePlan {
  const { parts, uses, before, after } = prepareSigning(settings);
  const { headerNames: names, apiClientId, identity, nonceLength } = settings;
  const headers: (SampleHeader | false)[] = [
    (uses.has('client_id') || apiClientId !== undefined) && { name: names.clientId, value: 'client_id' },
    { name: names.timestamp, value: 'timestamp' },
    nonceLength > 0 && { name: names.nonce, value: 'nonce' },
    (uses.has('identity') || identity !== undefined) && { name: names.identity, value: 'identity' },
    uses.has('merchant_id') && { name: names.merchantId, value: 'merchant_id' },
    { name: names.signature, value: 'signature' },
  ];
  const { hash, encoding, timestampPrecision: precision, urlForm, keyFormat } = settings;
  return {
    ...{ algorithm: settings.algorithm ?? 'HMAC', hash, encoding, precision, nonceLength, parts, before, after, urlForm, keyFormat },
    headers: headers.filter((header) => header !== false),
    fixed: {
      client_id: apiClientId ?? 'your-api-client-id',
      identity: identity ?? 'your-identity',
      merchant_id: merchantId ?? 'your-merchant-id',
    },
  };
}

/** A language's variable names for the joined values. */
export type Names = Readonly<Record<Placeholder, string>>;

/** The expressions whose values form the signed text, in order; `literal` prints a text in the language. */
export const pieces = ({ parts }: SamplePlan, names: Names, literal: (text: string) => string): readonly string[] =>
  parts.map((part) => ('text' in part ? literal(part.text) : names[part.placeholder]));

/** A string literal of C-like languages. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Joins lines to a program; skips those that are `false`. */
export const program = (...lines: readonly (string | false)[]): string => `${lines.filter((line) => line !== false).join('\n')}\n`;

export const usesFixed = ({ headers, parts }: SamplePlan, name: keyof SamplePlan['fixed']): boolean =>
  headers.some(({ value }) => value === name) || parts.some((part) => 'placeholder' in part && part.placeholder === name);

/** The environment variable of the key, so that code never contains the key. */
export const keyVariable = ({ algorithm }: SamplePlan): string => (algorithm === 'HMAC' ? 'HMAC_SECRET' : 'PRIVATE_KEY_FILE');
export const keyHint = (plan: SamplePlan): string =>
  plan.algorithm === 'HMAC'
    ? 'HMAC_SECRET holds the HMAC secret.'
    : `PRIVATE_KEY_FILE names the file of your private key (PKCS #8, ${plan.keyFormat}).`;

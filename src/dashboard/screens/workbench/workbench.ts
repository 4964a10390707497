export type Algorithm = 'HMAC' | 'RSA2' | 'ECDSA';

/** Signature settings in the form of the manage API. */
export interface Scheme {
  readonly algorithm: Algorithm;
  readonly hash: string;
  readonly encoding: string;
  readonly timestamp_precision: string;
  readonly nonce_length: number;
  readonly payload_template: string;
  readonly signature_template: string;
  readonly url_form: 'full' | 'path';
  readonly payload_spaces: boolean;
  readonly payload_sort_keys: boolean;
  readonly payload_ascii: boolean;
  readonly header_names: Readonly<Record<string, string>>;
  readonly api_client_id?: string;
  readonly acknowledge_weak?: boolean;
}

/** Named signature settings. */
export interface Preset {
  readonly name: string;
  readonly description: string;
  readonly signature: Partial<Scheme>;
}

/** A call as the user entered it. */
export interface Draft {
  readonly method: string;
  readonly target: string;
  /** `Name: value`, one per line. */
  readonly headers: string;
  readonly body: string;
}

/** A call with its signature and the steps to it. */
export interface Signed {
  readonly url: string;
  readonly signed_string: string;
  readonly bytes: number;
  readonly signature?: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Public key of a key pair that was generated for this answer alone. */
  readonly public_key?: string;
  readonly code: Readonly<Record<string, string>>;
  /** Code that checks Pierhead's signatures under the same settings. */
  readonly checking_code: Readonly<Record<string, string>>;
}

interface Excerpt {
  readonly text: string;
  readonly column: number;
}

/** The explainer's answer. */
export interface Explanation {
  readonly verdict: 'fits' | 'explained' | 'unknown' | 'settings-incomplete';
  readonly sentence: string;
  readonly causes: readonly { readonly code: string; readonly sentence: string }[];
  readonly expected_string?: string;
  readonly signed_string?: string;
  readonly differs_at?: number;
  readonly difference?: { readonly expected: Excerpt; readonly signed: Excerpt };
  readonly clock_skew_s?: number;
  readonly code: Readonly<Record<string, string>>;
  readonly checking_code: Readonly<Record<string, string>>;
}

/** A public secret, for the sample only. */
export const sampleSecret = 'a-sample-secret-that-everybody-knows';

export const sampleScheme: Scheme = {
  algorithm: 'HMAC',
  hash: 'SHA-256',
  encoding: 'base64',
  timestamp_precision: 'seconds',
  nonce_length: 0,
  payload_template: '{request_method}.{url}.{client_id}.{timestamp}.{payload}',
  signature_template: '{signature}',
  url_form: 'full',
  payload_spaces: false,
  payload_sort_keys: false,
  payload_ascii: false,
  header_names: {
    signature: 'X-Signature',
    timestamp: 'X-Timestamp',
    client_id: 'X-Client-Id',
    nonce: 'X-Nonce',
    identity: 'X-Identity',
    merchant_id: 'X-Merchant-Id',
  },
  api_client_id: 'sample-shop',
};

export const sampleDraft: Draft = {
  method: 'POST',
  target: '/api/v1/orders/create-order-payment/',
  headers: '',
  body: '{"order":{"amount":"12.50","currency":"EUR","miniapp_order_id":"order-1001"}}',
};

/** Parses header lines to pairs; ignores lines without a colon. */
export const headersIn = (text: string): readonly (readonly [string, string])[] =>
  text.split('\n').flatMap((line) => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
  });

/** Replaces or adds headers in the lines. */
export function withHeaders(text: string, headers: readonly (readonly [string, string])[]): string {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = headersIn(text).filter(([name]) => !names.has(name.toLowerCase()));
  return [...kept, ...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
}

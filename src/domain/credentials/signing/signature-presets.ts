import { defaultSignatureSettings, type SignatureSettings } from './signature-settings';

/** The settings of a preset; whether to sign, and with which keys, is up to the partner. */
export type PresetSettings = Omit<SignatureSettings, 'enabled' | 'identity' | 'apiClientId' | 'keyFormat' | 'webhookSignature'>;

/** A named set of signature settings. */
export interface SignaturePreset {
  readonly name: string;
  /** One sentence for people. */
  readonly description: string;
  readonly settings: PresetSettings;
}

const { enabled: _enabled, keyFormat: _keyFormat, webhookSignature: _webhookSignature, ...platform } = defaultSignatureSettings;

/** The presets, the default first. Source: contract/signatures#settings; the specification of Standard Webhooks, Signature scheme. */
export const signaturePresets: readonly SignaturePreset[] = [
  {
    name: 'platform',
    description: 'Method, full URL, client id, timestamp and body, joined by dots: what is set where nothing else is.',
    settings: platform,
  },
  {
    name: 'method-path-lines',
    description: 'Method, path with query, timestamp, nonce and body, each on a line of its own; every call counts once.',
    settings: {
      ...platform,
      payloadTemplate: '{request_method}\n{url}\n{timestamp}\n{nonce}\n{payload}',
      urlForm: 'path',
      nonceLength: 32,
    },
  },
  {
    name: 'standard-webhooks',
    description:
      'Id, timestamp and body in the headers of Standard Webhooks, HMAC-SHA256; method and URL are not signed, which acknowledge_weak accepts.',
    settings: {
      ...platform,
      algorithm: 'HMAC',
      headerNames: { ...platform.headerNames, nonce: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' },
      payloadTemplate: '{nonce}.{timestamp}.{payload}',
      signatureTemplate: 'v1,{signature}',
      nonceLength: 32,
      acknowledgeWeak: true,
    },
  },
];

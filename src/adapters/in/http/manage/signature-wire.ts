import type { Credentials } from '../../../../domain/credentials/credential';
import { derTextOf } from '../../../../domain/credentials/key-rules';
import { type PresetSettings, signaturePresets } from '../../../../domain/credentials/signature-presets';
import { defaultSignatureSettings, type SignatureSettings } from '../../../../domain/credentials/signature-settings';
import { isPlainObject, type PlainObject } from './merge-patch';
import { present } from './present';
import type { SignatureDto } from './signature.dto';

export function signatureSettings(facts: SignatureDto = {}): SignatureSettings {
  const names = facts.header_names ?? {};
  return {
    ...defaultSignatureSettings,
    ...present({
      enabled: facts.enabled,
      algorithm: facts.algorithm,
      hash: facts.hash,
      encoding: facts.encoding,
      timestampPrecision: facts.timestamp_precision,
      nonceLength: facts.nonce_length,
      identity: facts.identity,
      payloadTemplate: facts.payload_template,
      signatureTemplate: facts.signature_template,
      urlForm: facts.url_form,
      payloadSpaces: facts.payload_spaces,
      payloadSortKeys: facts.payload_sort_keys,
      payloadAscii: facts.payload_ascii,
      keyFormat: facts.key_format,
      apiClientId: facts.api_client_id,
      acknowledgeWeak: facts.acknowledge_weak,
      webhookSignature: facts.webhook_signature,
    }),
    headerNames: {
      ...defaultSignatureSettings.headerNames,
      ...present({
        signature: names.signature,
        timestamp: names.timestamp,
        clientId: names.client_id,
        nonce: names.nonce,
        identity: names.identity,
        merchantId: names.merchant_id,
      }),
    },
  };
}

/** The settings as they are shown: public keys in the partner's key format, nothing of the HMAC secret. */
export function signatureView(signature: SignatureSettings, credentials: Credentials): PlainObject {
  const { keyFormat } = signature;
  const shown = (pem: string | undefined): string | undefined => (keyFormat === 'DER' && pem !== undefined ? derTextOf(pem) : pem);
  return present({
    enabled: signature.enabled,
    ...shapeView(signature),
    identity: signature.identity,
    key_format: keyFormat,
    api_client_id: signature.apiClientId,
    partner_public_key: shown(credentials.partner_public_key?.current?.publicKey),
    platform_public_key: shown(credentials.platform_key?.current?.publicKey),
    webhook_signature: signature.webhookSignature,
  });
}

/** What a preset decides of the settings, as it is shown and written. */
function shapeView({ headerNames: names, ...shape }: PresetSettings): PlainObject {
  return present({
    algorithm: shape.algorithm,
    hash: shape.hash,
    encoding: shape.encoding,
    timestamp_precision: shape.timestampPrecision,
    nonce_length: shape.nonceLength,
    header_names: {
      signature: names.signature,
      timestamp: names.timestamp,
      client_id: names.clientId,
      nonce: names.nonce,
      identity: names.identity,
      merchant_id: names.merchantId,
    },
    payload_template: shape.payloadTemplate,
    signature_template: shape.signatureTemplate,
    url_form: shape.urlForm,
    payload_spaces: shape.payloadSpaces,
    payload_sort_keys: shape.payloadSortKeys,
    payload_ascii: shape.payloadAscii,
    acknowledge_weak: shape.acknowledgeWeak,
  });
}

/** The presets as a list shows them. */
export const presetViews: readonly PlainObject[] = signaturePresets.map(({ name, description, settings }) => ({
  name,
  description,
  signature: shapeView(settings),
}));

/**
 * A patch of the settings with its `preset` spelt out: what the patch says itself goes before it, member by member. A preset
 * that is unknown stays, for the rules of the DTO to judge.
 */
export function withoutPreset({ preset, ...given }: PlainObject): PlainObject {
  const chosen = signaturePresets.find(({ name }) => name === preset);
  if (!chosen) return preset === undefined || preset === null ? given : { preset, ...given };
  const shape = shapeView(chosen.settings);
  const names = given['header_names'];
  const headerNames =
    isPlainObject(names) && isPlainObject(shape['header_names']) ? { header_names: { ...shape['header_names'], ...names } } : {};
  return { ...shape, ...given, ...headerNames };
}

import type { Credentials } from '../../../../../domain/credentials/credential';
import { derTextOf } from '../../../../../domain/credentials/signing/key-rules';
import { type PresetSettings, signaturePresets } from '../../../../../domain/credentials/signing/signature-presets';
import { defaultSignatureSettings, type SignatureSettings } from '../../../../../domain/credentials/signing/signature-settings';
import { isPlainObject, type PlainObject } from '../http/merge-patch';
import { present } from '../http/present';
import type { SignatureDto } from './signature.dto';

export function signatureSettings(input: SignatureDto = {}): SignatureSettings {
  const names = input.header_names ?? {};
  return {
    ...defaultSignatureSettings,
    ...present({
      enabled: input.enabled,
      algorithm: input.algorithm,
      hash: input.hash,
      encoding: input.encoding,
      timestampPrecision: input.timestamp_precision,
      nonceLength: input.nonce_length,
      identity: input.identity,
      payloadTemplate: input.payload_template,
      signatureTemplate: input.signature_template,
      urlForm: input.url_form,
      payloadSpaces: input.payload_spaces,
      payloadSortKeys: input.payload_sort_keys,
      payloadAscii: input.payload_ascii,
      keyFormat: input.key_format,
      apiClientId: input.api_client_id,
      acknowledgeWeak: input.acknowledge_weak,
      webhookSignature: input.webhook_signature,
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

/** Signature settings for an answer: public keys in the partner's key format, never the HMAC secret. */
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

/** The settings that a preset fixes, as the API shows and accepts them. */
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

/** The presets for the list. */
export const presetViews: readonly PlainObject[] = signaturePresets.map(({ name, description, settings }) => ({
  name,
  description,
  signature: shapeView(settings),
}));

/**
 * Replaces a patch's `preset` by the settings it stands for; members of the patch itself win. An unknown preset stays, so that the DTO's
 * rules refuse it.
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

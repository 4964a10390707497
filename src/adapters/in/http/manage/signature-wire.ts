import type { Credentials } from '../../../../domain/credentials/credential';
import { derTextOf } from '../../../../domain/credentials/key-rules';
import { defaultSignatureSettings, type SignatureSettings } from '../../../../domain/credentials/signature-settings';
import type { PlainObject } from './merge-patch';
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
      keyFormat: facts.key_format,
      apiClientId: facts.api_client_id,
      acknowledgeWeak: facts.acknowledge_weak,
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
  const { headerNames: names, keyFormat } = signature;
  const shown = (pem: string | undefined): string | undefined => (keyFormat === 'DER' && pem !== undefined ? derTextOf(pem) : pem);
  return present({
    enabled: signature.enabled,
    algorithm: signature.algorithm,
    hash: signature.hash,
    encoding: signature.encoding,
    timestamp_precision: signature.timestampPrecision,
    nonce_length: signature.nonceLength,
    identity: signature.identity,
    header_names: {
      signature: names.signature,
      timestamp: names.timestamp,
      client_id: names.clientId,
      nonce: names.nonce,
      identity: names.identity,
      merchant_id: names.merchantId,
    },
    payload_template: signature.payloadTemplate,
    signature_template: signature.signatureTemplate,
    url_form: signature.urlForm,
    payload_spaces: signature.payloadSpaces,
    payload_sort_keys: signature.payloadSortKeys,
    key_format: keyFormat,
    api_client_id: signature.apiClientId,
    partner_public_key: shown(credentials.partner_public_key?.current?.publicKey),
    platform_public_key: shown(credentials.platform_key?.current?.publicKey),
    acknowledge_weak: signature.acknowledgeWeak,
  });
}

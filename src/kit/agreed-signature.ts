import type { CredentialSlots, Credentials, CredentialValue } from '../domain/credentials/credential';
import { missingSignatureSettings, type SigningDirection } from '../domain/credentials/signing/signature-rules';
import { defaultSignatureSettings, type SignatureSettings } from '../domain/credentials/signing/signature-settings';
import { prepareSigning } from '../domain/credentials/signing/signing-string';
import { defaultMiniappSettings, type Miniapp } from '../domain/partners/miniapp';
import { Secret } from '../domain/shared/secret';

/**
 * The signature settings that a partner and the platform agreed on: the `signature` member of the manage API as the operator shows it, plus
 * the partner's own secrets. Absent members have the contract's default. The object is read once: do not change it afterwards.
 */
export interface AgreedSignature {
  readonly algorithm: 'HMAC' | 'RSA2' | 'ECDSA';
  /** Sent in the client id header, and part of the signed text. */
  readonly api_client_id?: string;
  /** HMAC: the shared secret. Up to three: the first one signs, each one is accepted. */
  readonly hmac_secret?: string | readonly string[];
  /** RSA2 and ECDSA: your signing key as PEM, or PKCS #8 DER in base64. */
  readonly private_key?: string;
  /** RSA2 and ECDSA: the platform's public keys for you as PEM, or SPKI DER in base64. Up to three; each one is accepted. */
  readonly platform_public_key?: string | readonly string[];
  /** Merchant id of the integration; needed where the template contains it. */
  readonly merchant_id?: string;
  readonly hash?: SignatureSettings['hash'];
  readonly encoding?: SignatureSettings['encoding'];
  readonly timestamp_precision?: SignatureSettings['timestampPrecision'];
  /** Characters, 16 to 64; 0 disables the nonce. */
  readonly nonce_length?: number;
  readonly identity?: string;
  readonly header_names?: {
    readonly signature?: string;
    readonly timestamp?: string;
    readonly client_id?: string;
    readonly nonce?: string;
    readonly identity?: string;
    readonly merchant_id?: string;
  };
  readonly payload_template?: string;
  readonly signature_template?: string;
  readonly url_form?: SignatureSettings['urlForm'];
}

/** An agreement in the form of the service's signing code. */
interface ReadAgreement {
  readonly settings: SignatureSettings;
  readonly partner: Miniapp;
}

const read = new WeakMap<AgreedSignature, ReadAgreement>();

/** Converts an agreement once and caches it. Throws TypeError where something is missing for signing (`out`) or for checking (`in`). */
export function readAgreement(agreed: AgreedSignature, direction: SigningDirection): ReadAgreement {
  const known = read.get(agreed) ?? reading(agreed);
  read.set(agreed, known);
  const missing = missingSignatureSettings(known.settings, known.partner.credentials, direction).map((name) => wordOf[name] ?? name);
  if (prepareSigning(known.settings).uses.has('merchant_id') && agreed.merchant_id === undefined) missing.push('merchant_id');
  if (missing.length > 0) throw new TypeError(`The agreed signature lacks ${missing.join(', ')}`);
  return known;
}

/** The service names a key by its owner; on the partner's side the roles are swapped. */
const wordOf: Readonly<Record<string, string>> = { platform_key: 'private_key', partner_public_key: 'platform_public_key' };

function reading(agreed: AgreedSignature): ReadAgreement {
  const settings = settingsOf(agreed);
  const { private_key: key, hmac_secret: secrets, platform_public_key: keys } = agreed;
  const credentials: Credentials = {
    ...(secrets !== undefined && { hmac_secret: slotsOf(secrets, secretValue) }),
    ...(key !== undefined && { platform_key: { current: secretValue(asPem(key, 'PRIVATE KEY')) } }),
    ...(keys !== undefined && { partner_public_key: slotsOf(keys, publicValue) }),
  };
  const partner: Miniapp = {
    kind: 'miniapp',
    id: 'own',
    version: 1,
    settings: { ...defaultMiniappSettings, name: 'own', signature: settings },
    credentials,
  };
  return { settings, partner };
}

function settingsOf(agreed: AgreedSignature): SignatureSettings {
  const { header_names: names = {}, api_client_id: apiClientId, identity } = agreed;
  const defaults = defaultSignatureSettings;
  return {
    ...defaults,
    enabled: true,
    algorithm: agreed.algorithm,
    hash: agreed.hash ?? defaults.hash,
    encoding: agreed.encoding ?? defaults.encoding,
    timestampPrecision: agreed.timestamp_precision ?? defaults.timestampPrecision,
    nonceLength: agreed.nonce_length ?? defaults.nonceLength,
    payloadTemplate: agreed.payload_template ?? defaults.payloadTemplate,
    signatureTemplate: agreed.signature_template ?? defaults.signatureTemplate,
    urlForm: agreed.url_form ?? defaults.urlForm,
    headerNames: {
      signature: names.signature ?? defaults.headerNames.signature,
      timestamp: names.timestamp ?? defaults.headerNames.timestamp,
      clientId: names.client_id ?? defaults.headerNames.clientId,
      nonce: names.nonce ?? defaults.headerNames.nonce,
      identity: names.identity ?? defaults.headerNames.identity,
      merchantId: names.merchant_id ?? defaults.headerNames.merchantId,
    },
    ...(apiClientId !== undefined && { apiClientId }),
    ...(identity !== undefined && { identity }),
  };
}

/** The service's signing code has three slots per credential. */
function slotsOf(given: string | readonly string[], valueOf: (text: string) => CredentialValue): CredentialSlots {
  const texts = typeof given === 'string' ? [given] : given;
  if (texts.length > 3) throw new TypeError('Three secrets or keys at most are accepted at once');
  const [current, next, previous] = texts.map(valueOf);
  return { ...(current && { current }), ...(next && { next }), ...(previous && { previous }) };
}

const secretValue = (text: string): CredentialValue => ({ secret: new Secret(text), fingerprint: '', createdAt: 0 });

const publicValue = (text: string): CredentialValue => ({ ...secretValue(''), publicKey: asPem(text, 'PUBLIC KEY') });

const asPem = (key: string, label: string): string =>
  key.includes('-----BEGIN')
    ? key
    : `-----BEGIN ${label}-----\n${key.replace(/\s+/g, '').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

import type { PartnerRef } from '../../parts/use-partner-choice';

export type CredentialKind = 'secret_key' | 'host_app_secret_key' | 'hmac_secret' | 'partner_public_key' | 'platform_key';
export type Slot = 'current' | 'next' | 'previous';
export type Algorithm = 'HMAC' | 'RSA2' | 'ECDSA';

/** One value of a credential, as the manage API tells it: never the value itself. */
export interface CredentialValue {
  readonly slot: Slot;
  readonly fingerprint: string;
  readonly public_key?: string;
  readonly created_at: string;
  readonly last_used_at?: string;
  readonly valid_until?: string;
  readonly proven_at?: string;
  /** Another app has the same public key. */
  readonly shared?: true;
  readonly key_type: 'secret' | 'RSA' | 'EC';
  readonly bits: number;
  readonly curve?: string;
  readonly removal: 'safe' | 'in-use' | 'needed';
  readonly callers: readonly { readonly address: string; readonly uses: number; readonly last_at: string }[];
}

/** A credential with all its values. */
export interface Credential {
  readonly credential: CredentialKind;
  readonly direction: 'in' | 'out' | 'both';
  readonly method: 'Basic' | Algorithm;
  readonly is_active: boolean;
  readonly values: readonly CredentialValue[];
}

/** Of a partner's settings, what its credentials go by. */
export interface PartnerSettings {
  readonly name: string;
  readonly signature: {
    readonly enabled: boolean;
    readonly algorithm?: Algorithm;
    readonly hash: string;
    readonly encoding: string;
    readonly api_client_id?: string;
    readonly key_format: 'PEM' | 'DER';
  };
  /** Of a miniapp. */
  readonly analytics_signature?: 'required' | 'when_sent';
  /** Settings that are tried beside those; absent: none are. */
  readonly signature_shadow?: { readonly mode: 'observe' | 'accept' };
}

/** What people call a credential. */
export const titles: Readonly<Record<CredentialKind, string>> = {
  secret_key: 'Secret key',
  host_app_secret_key: 'Host app secret key',
  hmac_secret: 'HMAC secret',
  partner_public_key: 'Public key of the partner',
  platform_key: 'Pierhead’s key',
};

/** The same within a sentence. */
export const titlesInside: Readonly<Record<CredentialKind, string>> = {
  secret_key: 'the secret key',
  host_app_secret_key: 'the host app’s secret key',
  hmac_secret: 'the HMAC secret',
  partner_public_key: 'the partner’s public key',
  platform_key: 'Pierhead’s key',
};

/** The direction of its proof. */
export function purposeOf({ credential, direction, method }: Credential, partner: PartnerRef): string {
  if (credential === 'hmac_secret') return `${partner.name} and Pierhead sign to each other with it`;
  if (direction === 'in') return `${partner.name} calls Pierhead with it${method === 'Basic' ? ` as ${partner.id}` : ''}`;
  return `Pierhead calls ${partner.name} with it`;
}

/** Type and size, as people say them. */
export function sizeOf({ key_type: type, bits, curve }: CredentialValue): string {
  if (type === 'EC') return `EC ${curve === 'prime256v1' ? 'P-256' : (curve ?? String(bits))}`;
  return type === 'RSA' ? `RSA, ${String(bits)} bits` : `${String(bits / 8)} bytes`;
}

/** Whether the partner can prove that it holds it. */
export const isProvable = (kind: CredentialKind): kind is 'hmac_secret' | 'partner_public_key' =>
  kind === 'hmac_secret' || kind === 'partner_public_key';

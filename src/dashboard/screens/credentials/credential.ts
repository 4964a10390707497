import type { PartnerRef } from '../../parts/use-partner-choice';

export type CredentialKind = 'secret_key' | 'host_app_secret_key' | 'hmac_secret' | 'partner_public_key' | 'platform_key';
export type Slot = 'current' | 'next' | 'previous';
export type Algorithm = 'HMAC' | 'RSA2' | 'ECDSA';

/** A value of a credential in the manage API: never the secret itself. */
export interface CredentialValue {
  readonly slot: Slot;
  readonly fingerprint: string;
  readonly public_key?: string;
  readonly created_at: string;
  readonly last_used_at?: string;
  /** The stored value opens with no encryption key of the service: it has to be replaced. */
  readonly unreadable?: true;
  readonly valid_until?: string;
  readonly proven_at?: string;
  /** Set when another app has the same public key. */
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

/** The partner's settings that its credentials depend on. */
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
  /** Miniapps only. */
  readonly analytics_signature?: 'required' | 'when_sent';
  /** Settings of a dry run. Absent when there is none. */
  readonly signature_dry_run?: { readonly mode: 'observe' | 'accept' };
}

/** Display names of credentials. */
export const titles: Readonly<Record<CredentialKind, string>> = {
  secret_key: 'Secret key',
  host_app_secret_key: 'Host app secret key',
  hmac_secret: 'HMAC secret',
  partner_public_key: 'Public key of the partner',
  platform_key: 'Pierhead’s key',
};

/** Display names within a sentence. */
export const titlesInside: Readonly<Record<CredentialKind, string>> = {
  secret_key: 'the secret key',
  host_app_secret_key: 'the host app’s secret key',
  hmac_secret: 'the HMAC secret',
  partner_public_key: 'the partner’s public key',
  platform_key: 'Pierhead’s key',
};

/** Describes the calls that the credential authenticates. */
export function purposeOf({ credential, direction, method }: Credential, partner: PartnerRef): string {
  if (credential === 'hmac_secret') return `${partner.name} and Pierhead sign to each other with it`;
  if (direction === 'in') return `${partner.name} calls Pierhead with it${method === 'Basic' ? ` as ${partner.id}` : ''}`;
  return `Pierhead calls ${partner.name} with it`;
}

/** Type and size for display. */
export function sizeOf({ key_type: type, bits, curve }: CredentialValue): string {
  if (type === 'EC') return `EC ${curve === 'prime256v1' ? 'P-256' : (curve ?? String(bits))}`;
  return type === 'RSA' ? `RSA, ${String(bits)} bits` : `${String(bits / 8)} bytes`;
}

/** Whether the partner can prove possession. */
export const isProvable = (kind: CredentialKind): kind is 'hmac_secret' | 'partner_public_key' =>
  kind === 'hmac_secret' || kind === 'partner_public_key';

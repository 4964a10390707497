import type { CredentialKind, Credentials, CredentialSlots, CredentialValue } from '../../../../domain/credentials/credential';
import { derTextOf } from '../../../../domain/credentials/key-rules';
import { signingKind } from '../../../../domain/credentials/shadow-trial';
import type { SignatureSettings } from '../../../../domain/credentials/signature-settings';
import type { SignatureShadow } from '../../../../domain/credentials/signature-shadow';
import type { Partner } from '../../../../domain/partners/partner-draft';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import type { SettingWarning } from '../../../../domain/partners/setting-warnings';
import type { PlainObject } from './merge-patch';
import { present } from './present';
import type { Reading } from '../../../dto/read-dto';
import { signatureView } from './signature-wire';

/** What the wire needs to know of a partner's body, whichever kind it is. */
export interface PartnerFacts {
  readonly ip_whitelist?: { readonly addresses?: readonly string[] };
  readonly host_app_secret_key?: string;
  readonly signature?: { readonly hmac_secret?: string; readonly partner_public_key?: string; readonly acknowledge_shared_key?: boolean };
}

/** How one kind of partner looks on the wire. */
export interface PartnerWire<P extends Partner> {
  readonly kind: PartnerKind;
  /** The collection: `host-apps`, `miniapps`. */
  readonly path: string;
  readonly Dto: new () => object;
  /** Reads a whole body. */
  readonly read: (plain: PlainObject) => Reading<PartnerFacts> & {
    readonly settings: P['settings'];
    /** The URLs that the service will call, by their members. */
    readonly calledUrls: Readonly<Record<string, string | undefined>>;
  };
  /** As shown, with fingerprints instead of secrets; an operator may send it back. */
  readonly view: (partner: P) => PlainObject;
}

/** What every partner's view ends with. */
export const viewEnd = (
  { settings, credentials }: Pick<Partner, 'settings' | 'credentials'>,
  warnings: readonly SettingWarning[],
): PlainObject => ({
  credentials: Object.fromEntries(Object.entries(credentials).map(([kind, slots]) => [kind, slotsView(slots, settings.signature)])),
  warnings: warnings.map(warningView),
  ...(settings.signatureShadow && { signature_shadow: shadowView({ settings, credentials }, settings.signatureShadow) }),
});

/** The settings that are tried, with the keys that calls would be signed with. */
export function shadowView({ settings, credentials }: Pick<Partner, 'settings' | 'credentials'>, shadow: SignatureShadow): PlainObject {
  const { id, mode, keySlot, since, until, signature } = shadow;
  const kind = signingKind(signature);
  const { next, current } = credentials.platform_key ?? {};
  const own = signature.algorithm === settings.signature.algorithm ? current : (next ?? current);
  const keys = { ...credentials, [kind]: { current: credentials[kind]?.[keySlot] }, platform_key: { current: own } };
  const view = signatureView(signature, keys as Credentials);
  return { id, mode, key_slot: keySlot, since: timeText(since), until: timeText(until), signature: view };
}

/** The value whose grace time a rotation ended. */
export const cutShortWarning = (credential: CredentialKind, { fingerprint }: CredentialValue): SettingWarning => ({
  path: `credentials.${credential}.previous`,
  cause: 'grace-cut-short',
  message: `${fingerprint} was still accepted and is no more: only one earlier value is`,
});

/** A view with one more warning, at the end. */
export const withWarning = (view: PlainObject, warning: SettingWarning): PlainObject => {
  const { warnings } = view;
  return { ...view, warnings: [...(Array.isArray(warnings) ? warnings : []), warningView(warning)] };
};

/** A warning as it is shown (contract/resources#warnings). */
export const warningView = ({ path, cause, message }: SettingWarning): PlainObject => ({ path, cause, message });

const slotsView = (slots: CredentialSlots, signature: SignatureSettings): PlainObject =>
  Object.fromEntries(Object.entries(slots).map(([slot, value]) => [slot, valueView(value, signature)]));

/** Of key pairs the public key, in the partner's key format: what waits must be handed over before it is used. */
export const valueView = (value: CredentialValue, { keyFormat }: SignatureSettings): PlainObject =>
  present({
    fingerprint: value.fingerprint,
    public_key: keyFormat === 'DER' && value.publicKey !== undefined ? derTextOf(value.publicKey) : value.publicKey,
    created_at: timeText(value.createdAt),
    last_used_at: timeText(value.lastUsedAt),
    valid_until: timeText(value.validUntil),
    proven_at: timeText(value.provenAt),
    unreadable: value.isUnreadable,
  });

/** RFC 3339 in UTC. */
export function timeText(at: number): string;
export function timeText(at: number | undefined): string | undefined;
export function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

import type { CredentialKind, Credentials, CredentialSlots, CredentialValue } from '../../../../../domain/credentials/credential';
import { derTextOf } from '../../../../../domain/credentials/signing/key-rules';
import { signingKind } from '../../../../../domain/credentials/dry-run/dry-run-trial';
import type { SignatureSettings } from '../../../../../domain/credentials/signing/signature-settings';
import type { SignatureDryRun } from '../../../../../domain/credentials/dry-run/signature-dry-run';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import type { PartnerKind } from '../../../../../domain/partners/registry-errors';
import type { SettingWarning } from '../../../../../domain/partners/setting-warnings';
import type { PlainObject } from '../http/merge-patch';
import { present } from '../http/present';
import type { Reading } from '../../../../dto/read-dto';
import { signatureView } from '../credentials/signature-mapper';

/** Members of a partner's body that both kinds have. */
export interface PartnerInput {
  readonly ip_whitelist?: { readonly addresses?: readonly string[] };
  readonly host_app_secret_key?: string;
  readonly signature?: { readonly hmac_secret?: string; readonly partner_public_key?: string; readonly acknowledge_shared_key?: boolean };
}

/** Maps one kind of partner to and from JSON. */
export interface PartnerMapper<P extends Partner> {
  readonly kind: PartnerKind;
  readonly Dto: new () => object;
  /** Reads a whole body. */
  readonly read: (plain: PlainObject) => Reading<PartnerInput> & {
    readonly settings: P['settings'];
    /** URLs that the service will call, by member name. */
    readonly calledUrls: Readonly<Record<string, string | undefined>>;
  };
  /** The partner in the form of the API, with fingerprints instead of secrets. An operator may send it back. */
  readonly view: (partner: P) => PlainObject;
}

/** The last members of every partner's view. */
export const viewEnd = (
  { settings, credentials }: Pick<Partner, 'settings' | 'credentials'>,
  warnings: readonly SettingWarning[],
): PlainObject => ({
  credentials: Object.fromEntries(Object.entries(credentials).map(([kind, slots]) => [kind, slotsView(slots, settings.signature)])),
  warnings: warnings.map(warningView),
  ...(settings.signatureDryRun && { signature_dry_run: dryRunView({ settings, credentials }, settings.signatureDryRun) }),
});

/** The dry run's settings, with the keys that would sign calls. */
export function dryRunView({ settings, credentials }: Pick<Partner, 'settings' | 'credentials'>, dryRun: SignatureDryRun): PlainObject {
  const { id, mode, keySlot, since, until, signature } = dryRun;
  const kind = signingKind(signature);
  const { next, current } = credentials.platform_key ?? {};
  const own = signature.algorithm === settings.signature.algorithm ? current : (next ?? current);
  const keys = { ...credentials, [kind]: { current: credentials[kind]?.[keySlot] }, platform_key: { current: own } };
  const view = signatureView(signature, keys as Credentials);
  return { id, mode, key_slot: keySlot, since: timeText(since), until: timeText(until), signature: view };
}

/** Warns that a rotation ended the grace time of this value. */
export const cutShortWarning = (credential: CredentialKind, { fingerprint }: CredentialValue): SettingWarning => ({
  path: `credentials.${credential}.previous`,
  cause: 'grace-cut-short',
  message: `${fingerprint} was still accepted and is no more: only one earlier value is`,
});

/** Appends one more warning to a view. */
export const withWarning = (view: PlainObject, warning: SettingWarning): PlainObject => {
  const { warnings } = view;
  return { ...view, warnings: [...(Array.isArray(warnings) ? warnings : []), warningView(warning)] };
};

/** A warning in the form of the API (contract/resources#warnings). */
export const warningView = ({ path, cause, message }: SettingWarning): PlainObject => ({ path, cause, message });

const slotsView = (slots: CredentialSlots, signature: SignatureSettings): PlainObject =>
  Object.fromEntries(Object.entries(slots).map(([slot, value]) => [slot, valueView(value, signature)]));

/** Shows the public key of a key pair, in the partner's key format: a `next` key must be handed over before it is used. */
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

/** An RFC 3339 time in UTC. */
export function timeText(at: number): string;
export function timeText(at: number | undefined): string | undefined;
export function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

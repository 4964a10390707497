import type { CredentialSlots, CredentialValue, Credentials } from '../../../../domain/credentials/credential';
import type { Partner } from '../../../../domain/partners/partner-draft';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import type { FieldProblem } from '../../../../domain/shared/errors';
import type { PlainObject } from './merge-patch';
import { present } from './present';
import type { Reading } from './read-dto';

/** What the wire needs to know of a partner's body, whichever kind it is. */
export interface PartnerFacts {
  readonly ip_whitelist?: { readonly addresses?: readonly string[] };
  readonly host_app_secret_key?: string;
  readonly signature?: { readonly hmac_secret?: string; readonly partner_public_key?: string };
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
  /** As shown, with fingerprints in the place of secrets; an operator may send it back. */
  readonly view: (partner: P) => PlainObject;
}

/** What every partner's view ends with. */
export const viewEnd = (credentials: Credentials, warnings: readonly FieldProblem[]): PlainObject => ({
  credentials: Object.fromEntries(Object.entries(credentials).map(([kind, slots]) => [kind, slotsView(slots)])),
  warnings: warnings.map(({ path, rule }) => ({ path, rule })),
});

const slotsView = (slots: CredentialSlots): PlainObject =>
  Object.fromEntries(Object.entries(slots).map(([slot, value]) => [slot, valueView(value)]));

const valueView = ({ fingerprint, createdAt, lastUsedAt, validUntil }: CredentialValue): PlainObject =>
  present({ fingerprint, created_at: timeText(createdAt), last_used_at: timeText(lastUsedAt), valid_until: timeText(validUntil) });

/** RFC 3339 in UTC. */
export function timeText(at: number): string;
export function timeText(at: number | undefined): string | undefined;
export function timeText(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

import type { AuditEntry } from '../ports';
import type { PartnerKind } from '../registry-errors';
import type { KeyToCompare } from './key-sharing';

/** The audit row of keys that become shared, written in addition to the row of the change itself. */
export const sharedKeyEntry = (
  { before: _before, ...audit }: AuditEntry,
  kind: PartnerKind,
  keys: readonly KeyToCompare[],
): AuditEntry => ({
  ...audit,
  action: `${kind}.key-shared`,
  after: { partner_public_key: keys.map(({ fingerprint }) => fingerprint) },
});

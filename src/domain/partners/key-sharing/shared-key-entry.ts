import type { AuditEntry } from '../ports';
import type { PartnerKind } from '../registry-errors';
import type { KeyToCompare } from './key-sharing';

/** The audit row of keys that become shared, beside that of the change by which they do. */
export const sharedKeyEntry = (
  { before: _before, ...audit }: AuditEntry,
  kind: PartnerKind,
  keys: readonly KeyToCompare[],
): AuditEntry => ({
  ...audit,
  action: `${kind}.key-shared`,
  after: { partner_public_key: keys.map(({ fingerprint }) => fingerprint) },
});

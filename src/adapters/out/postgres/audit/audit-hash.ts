import { createHash } from 'node:crypto';

/** A row of audit_log, each field as the text that is hashed. */
export interface HashedRow {
  readonly previous_hash: string;
  readonly id: string;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  /** The text of the `jsonb` value as Postgres prints it. */
  readonly before: string | null;
  readonly after: string | null;
  readonly request_id: string;
}

/** The hash before the first entry. */
export const firstPreviousHash = '0'.repeat(64);

/**
 * The hash of an entry, as the database computed it: SHA-256 over its fields in this order, each as its length in bytes, a colon and its
 * text, `-` for null, and a comma. It is computed outside the database, so that a changed database cannot make a wrong hash agree.
 */
export function auditHash(row: HashedRow): string {
  const { previous_hash, id, at, actor, action, subject, before, after, request_id } = row;
  const hash = createHash('sha256');
  for (const part of [previous_hash, id, at, actor, action, subject, before, after, request_id]) {
    hash.update(part === null ? '-,' : `${String(Buffer.byteLength(part))}:${part},`, 'utf8');
  }
  return hash.digest('hex');
}

import { EntitySchema } from 'typeorm';

/** A row of evidence_links. Digest and bundle are read only by statements that select them explicitly. */
export interface EvidenceLinkRow {
  id: string;
  /** SHA-256 of the token; the token itself is not stored. */
  token_digest: Buffer;
  exchange_id: string;
  client_id: string | null;
  app_id: string | null;
  /** The signed bundle. */
  sealed: Buffer;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  opened: number;
  opened_at: Date | null;
}

export const evidenceLinkSchema = new EntitySchema<EvidenceLinkRow>({
  name: 'EvidenceLink',
  tableName: 'evidence_links',
  columns: {
    id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'evidence_links_pkey' },
    token_digest: { type: 'bytea', select: false },
    exchange_id: { type: 'text' },
    client_id: { type: 'text', nullable: true },
    app_id: { type: 'text', nullable: true },
    sealed: { type: 'bytea', select: false },
    created_by: { type: 'text' },
    created_at: { type: 'timestamptz' },
    expires_at: { type: 'timestamptz' },
    revoked_at: { type: 'timestamptz', nullable: true },
    opened: { type: 'integer', default: 0 },
    opened_at: { type: 'timestamptz', nullable: true },
  },
  indices: [
    { name: 'evidence_links_by_token', columns: ['token_digest'], unique: true },
    { name: 'evidence_links_by_exchange', columns: ['exchange_id', 'created_at'] },
    { name: 'evidence_links_by_expiry', columns: ['expires_at'] },
    { name: 'evidence_links_by_time', columns: ['created_at', 'id'] },
    { name: 'evidence_links_by_host_app', columns: ['client_id', 'created_at', 'id'] },
    { name: 'evidence_links_by_miniapp', columns: ['app_id', 'created_at', 'id'] },
  ],
});

/** The seal context of a bundle. */
export const evidenceSealContext = ({ id }: Pick<EvidenceLinkRow, 'id'>): string => `evidence_links.sealed:${id}`;

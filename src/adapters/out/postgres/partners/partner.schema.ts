import { EntitySchema } from 'typeorm';
import type { CredentialKind, Credentials, CredentialSlot, CredentialValue } from '../../../../domain/credentials/credential';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import { Secret, UnreadableSecret } from '../../../../domain/shared/secret';

/** A row of host_apps or miniapps. `settings` has the shape of the domain's settings. */
export interface PartnerRow {
  id: string;
  version: number;
  settings: object;
  created_at: Date;
  updated_at: Date;
}

const partnerSchema = (name: string, table: string): EntitySchema<PartnerRow> =>
  new EntitySchema<PartnerRow>({
    name,
    tableName: table,
    columns: {
      id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: `${table}_pkey` },
      version: { type: 'integer' },
      settings: { type: 'jsonb' },
      created_at: { type: 'timestamptz' },
      updated_at: { type: 'timestamptz' },
    },
  });

export const hostAppSchema = partnerSchema('HostApp', 'host_apps');
export const miniappSchema = partnerSchema('Miniapp', 'miniapps');

/** A row of partner_credentials: one value of one credential. */
export interface CredentialRow {
  partner_kind: PartnerKind;
  partner_id: string;
  kind: CredentialKind;
  slot: CredentialSlot;
  sealed: Buffer;
  public_key: string | null;
  fingerprint: string;
  created_at: Date;
  valid_until: Date | null;
  last_used_at: Date | null;
  proven_at: Date | null;
}

const key = { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'partner_credentials_pkey' } as const;

export const credentialSchema = new EntitySchema<CredentialRow>({
  name: 'PartnerCredential',
  tableName: 'partner_credentials',
  columns: {
    partner_kind: key,
    partner_id: key,
    kind: key,
    slot: key,
    sealed: { type: 'bytea' },
    public_key: { type: 'text', nullable: true },
    fingerprint: { type: 'text' },
    created_at: { type: 'timestamptz' },
    valid_until: { type: 'timestamptz', nullable: true },
    last_used_at: { type: 'timestamptz', nullable: true },
    proven_at: { type: 'timestamptz', nullable: true },
  },
  indices: [
    { name: 'partner_credentials_by_public_key', columns: ['kind', 'fingerprint'], where: 'public_key is not null' },
    { name: 'partner_credentials_ending', columns: ['valid_until'], where: 'valid_until is not null' },
  ],
});

/** The seal context of a credential. */
export function credentialSealContext(row: Pick<CredentialRow, 'partner_kind' | 'partner_id' | 'kind' | 'slot'>): string {
  return `partner_credentials.sealed:${row.partner_kind}/${row.partner_id}/${row.kind}/${row.slot}`;
}

/** The credentials of one partner, decrypted by `open`. A value that cannot be decrypted is marked. */
export function credentialsFrom(rows: readonly CredentialRow[], open: (row: CredentialRow) => string | undefined): Credentials {
  const credentials: Partial<Record<CredentialKind, Partial<Record<CredentialSlot, CredentialValue>>>> = {};
  for (const row of rows) {
    const slots = (credentials[row.kind] ??= {});
    slots[row.slot] = valueFrom(row, open(row));
  }
  return credentials;
}

/** Members are set one by one: an object with spreads before them costs ten times as much. */
function valueFrom(row: CredentialRow, secret: string | undefined): CredentialValue {
  const value: { -readonly [Name in keyof CredentialValue]: CredentialValue[Name] } = {
    secret: secret === undefined ? new UnreadableSecret() : new Secret(secret),
    fingerprint: row.fingerprint,
    createdAt: row.created_at.getTime(),
  };
  if (secret === undefined) value.isUnreadable = true;
  if (row.public_key !== null) value.publicKey = row.public_key;
  if (row.valid_until !== null) value.validUntil = row.valid_until.getTime();
  if (row.last_used_at !== null) value.lastUsedAt = row.last_used_at.getTime();
  if (row.proven_at !== null) value.provenAt = row.proven_at.getTime();
  return value;
}

import { EntitySchema } from 'typeorm';

/** A row of users. The reference is found by its keyed digest; it and the data are sealed. */
export interface UserRow {
  client_id: string;
  reference_digest: Buffer;
  reference: Buffer;
  data: Buffer;
  created_at: Date;
  updated_at: Date;
}

const userKey = { primary: true, primaryKeyConstraintName: 'users_pkey' } as const;

export const userSchema = new EntitySchema<UserRow>({
  name: 'User',
  tableName: 'users',
  columns: {
    client_id: { type: 'text', ...userKey },
    reference_digest: { type: 'bytea', ...userKey },
    reference: { type: 'bytea' },
    data: { type: 'bytea' },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
  },
});

/** A row of user_tokens. The lease names the one run that may refresh them. */
export interface UserTokensRow {
  client_id: string;
  reference_digest: Buffer;
  access_token: Buffer;
  refresh_token: Buffer | null;
  version: string;
  lease: string | null;
  lease_until: Date | null;
  updated_at: Date;
}

const tokensKey = { primary: true, primaryKeyConstraintName: 'user_tokens_pkey' } as const;

export const userTokensSchema = new EntitySchema<UserTokensRow>({
  name: 'UserTokens',
  tableName: 'user_tokens',
  columns: {
    client_id: { type: 'text', ...tokensKey },
    reference_digest: { type: 'bytea', ...tokensKey },
    access_token: { type: 'bytea' },
    refresh_token: { type: 'bytea', nullable: true },
    version: { type: 'bigint' },
    lease: { type: 'text', nullable: true },
    lease_until: { type: 'timestamptz', nullable: true },
    updated_at: { type: 'timestamptz' },
  },
});

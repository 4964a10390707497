import { EntitySchema } from 'typeorm';
import { JsonObject } from '../../../../domain/shared/json';
import { readInTurns } from '../../../json/in-turns';
import { printJson } from '../../../../domain/shared/print-json';
import type { UserData } from '../../../../domain/sso/user-data';

/** A row of users. The reference is found by its keyed digest; reference and data are sealed. */
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
  /** The sealed failure of the run `lease`. Null once another run has begun. */
  failure: Buffer | null;
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
    failure: { type: 'bytea', nullable: true },
    updated_at: { type: 'timestamptz' },
  },
});

/** The seal contexts of one user besides that of the reference: the additional authenticated data of the sealed columns. */
export function userSealContexts(clientId: string, digest: Buffer) {
  const row = `${clientId}/${digest.toString('hex')}`;
  return {
    data: `users.data:${row}`,
    accessToken: `user_tokens.access_token:${row}`,
    refreshToken: `user_tokens.refresh_token:${row}`,
    failure: `user_tokens.failure:${row}`,
  };
}

/** All fields except the reference; custom attributes are unchanged. */
export function userDataText({ email, phone, firstName, lastName, customAttributes }: UserData): string {
  return printJson(JsonObject.of({ email, phone, first_name: firstName, last_name: lastName, custom_attributes: customAttributes }));
}

/** Parses the text that `userDataText` wrote. */
export async function userDataFrom(reference: string, bytes: Uint8Array): Promise<UserData> {
  const stored = await readInTurns(bytes);
  if (!(stored instanceof JsonObject)) throw new Error('Stored user data is not an object');
  const text = (name: string): string | undefined => {
    const value = stored.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const attributes = stored.get('custom_attributes');
  return {
    reference,
    email: text('email'),
    phone: text('phone'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    customAttributes: attributes instanceof JsonObject ? attributes : undefined,
  };
}

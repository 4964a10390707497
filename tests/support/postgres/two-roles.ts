import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testRun } from '../test-run';

/** A database of its own with a role that owns the tables and another that serves. */
export interface TwoRoles {
  readonly ownerUrl: string;
  readonly servingUrl: string;
  readonly servingRole: string;
  /** As a superuser of the cluster. */
  readonly adminUrl: string;
  close(): Promise<void>;
}

/** Makes both roles and the database, empty. */
export async function openTwoRoles(): Promise<TwoRoles> {
  const name = `${testRun.prefix()}_${randomBytes(4).toString('hex')}`;
  const [owner, servingRole] = [`${name}_owner`, `${name}_serving`];
  await asAdmin(`create role ${owner} login`, `create role ${servingRole} login`, `create database ${name} owner ${owner}`);
  const urlOf = (user?: string): string => {
    const { protocol, host, search, href } = new URL(`/${name}`, testRun.requirePostgresUrl());
    return user === undefined ? href : `${protocol}//${user}@${host}/${name}${search}`;
  };
  return {
    ownerUrl: urlOf(owner),
    servingUrl: urlOf(servingRole),
    servingRole,
    adminUrl: urlOf(),
    close: () => asAdmin(`drop database ${name} with (force)`, `drop role ${owner}`, `drop role ${servingRole}`),
  };
}

async function asAdmin(...statements: readonly string[]): Promise<void> {
  const admin = new Client({ connectionString: testRun.requirePostgresUrl() });
  await admin.connect();
  try {
    for (const statement of statements) await admin.query(statement);
  } finally {
    await admin.end();
  }
}

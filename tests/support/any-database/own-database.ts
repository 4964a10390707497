import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { testRun } from '../test-run';

/** An empty database with an owner that is no superuser, to be made as hostile as a test needs it. */
export interface OwnDatabase {
  readonly name: string;
  /** The role that owns the database. */
  readonly owner: string;
  /** The database as its owner. */
  readonly url: string;
  /** The database as another role, or with parameters behind it. */
  urlOf(role: string, parameters?: Readonly<Record<string, string>>): string;
  /** Makes a role that may log in, and nothing else; it goes with the database. */
  addRole(suffix: string, options?: string): Promise<string>;
  /** Runs statements in the database as a superuser. */
  asAdmin(...statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Creates it; `options` are those of `create database`, such as an encoding. */
export async function openOwnDatabase(options = ''): Promise<OwnDatabase> {
  const name = `${testRun.prefix()}_${randomBytes(4).toString('hex')}`;
  const owner = `${name}_owner`;
  const roles = [owner];
  const urlOf = (role?: string, parameters: Readonly<Record<string, string>> = {}): string => {
    const { protocol, host, username, password, search } = new URL(testRun.requirePostgresUrl());
    const admin = password ? `${username}:${password}` : username;
    const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(search)), ...parameters }).toString();
    return `${protocol}//${role ?? admin}@${host}/${name}${query && `?${query}`}`;
  };
  await run(testRun.requirePostgresUrl(), [`create role ${owner} login`, `create database ${name} owner ${owner} ${options}`]);
  return {
    name,
    owner,
    url: urlOf(owner),
    urlOf,
    addRole: async (suffix, roleOptions = '') => {
      const role = `${name}_${suffix}`;
      await run(testRun.requirePostgresUrl(), [`create role ${role} login ${roleOptions}`]);
      roles.push(role);
      return role;
    },
    asAdmin: (...statements) => run(urlOf(), statements),
    close: () =>
      run(testRun.requirePostgresUrl(), [`drop database ${name} with (force)`, ...roles.map((role) => `drop role if exists ${role}`)]),
  };
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const session = new Client({ connectionString: url });
  await session.connect();
  try {
    for (const statement of statements) await session.query(statement);
  } finally {
    await session.end();
  }
}

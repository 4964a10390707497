import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration that takes away what the version before the last has stopped naming says so (ADR 034). */
export type Migration = MigrationInterface & { readonly contracts?: boolean };

/** A statement of a migration that a version that serves beside it would not survive, and why. */
export interface Refusal {
  readonly statement: string;
  readonly why: string;
}

interface Rule {
  /** On the statement in one line and lower case. */
  readonly refused: RegExp;
  readonly why: string;
  /** It is about what goes away: a migration that contracts may do so. */
  readonly contracts?: true;
  /** It also holds for a table that the migration itself has made: nobody uses that one yet, but the words are wrong anywhere. */
  readonly anywhere?: true;
}

/** The statement names the table that it changes here. */
const tableOf = [
  /^alter table (?:if exists )?(?:only )?"?(\w+)"?/,
  /^create (?:unique )?index (?:concurrently )?(?:if not exists )?\w+ on (?:only )?"?(\w+)"?/,
  /^(?:update|delete from|truncate(?: table)?|lock table) "?(\w+)"?/,
  /^create (?:constraint )?trigger .* on "?(\w+)"?/,
  /^drop table (?:if exists )?"?(\w+)"?/,
];

const rules: readonly Rule[] = [
  { refused: /^drop (?:table|view|function|type|sequence|materialized view)/, why: 'takes away what may be in use', contracts: true },
  { refused: /^drop index (?!concurrently)/, why: 'drops an index with the table locked: drop index concurrently' },
  { refused: /^alter table .* drop (?:column|constraint)/, why: 'takes away what may be in use', contracts: true },
  { refused: /^alter .* rename/, why: 'renames what the version before calls by its old name' },
  { refused: /^alter table .* alter (?:column )?\w+ (?:set data )?type /, why: 'changes a type: the table is rewritten under a lock' },
  { refused: /^alter table .* alter (?:column )?\w+ set not null/, why: 'refuses rows that the version before may write' },
  { refused: /^alter table .* alter (?:column )?\w+ drop default/, why: 'takes a default away that the version before relies on' },
  {
    refused: /^alter table .* add column (?!.*\bdefault\b).*\bnot null\b/,
    why: 'a new column without a default refuses rows of the version before',
  },
  {
    refused: /^alter table .* add column .*(?:\bgenerated\b|\bserial\b|default [a-z_]*(?:random|nextval|clock_timestamp|uuid)\w*\()/,
    why: 'a value for each row: the table is rewritten under a lock',
  },
  { refused: /^alter table .* add column .*\b(?:unique|primary key)\b/, why: 'builds an index with the table locked' },
  {
    refused: /^alter table .* add (?:constraint \w+ )?(?:check|foreign key)(?!.*\bnot valid\b)/,
    why: 'looks at every row under a lock: add it not valid, validate it by itself',
  },
  {
    refused: /^alter table .* add (?:constraint \w+ )?(?:unique|primary key|exclude)(?!.* using index )/,
    why: 'builds an index with the table locked: build it concurrently, then add it using index',
  },
  { refused: /^create (?:unique )?index (?!concurrently)/, why: 'keeps writers out while it is built: create index concurrently' },
  { refused: /^(?:update|delete from) (?!.*\blimit\b)/, why: 'touches every row in one go: a few rows at a time (limit)' },
  { refused: /^alter table .* set (?:tablespace|logged|unlogged|access method)/, why: 'rewrites the table under a lock' },
  { refused: /^(?:lock table|truncate|cluster|vacuum full|reindex (?!.*concurrently))/, why: 'takes the table for itself', anywhere: true },
];

/** What the migration's way up sends, in order; nothing is done. */
async function statementsOf(migration: Migration): Promise<string[]> {
  const sent: string[] = [];
  const query = (text: string): Promise<unknown> => {
    sent.push(
      text
        .replace(/--[^\n]*/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase(),
    );
    return Promise.resolve([[], 0]);
  };
  const nothingElse = { get: (_none: object, name: string | symbol) => (name === 'query' ? query : undefined) };
  await migration.up(new Proxy({}, nothingElse) as QueryRunner);
  return sent;
}

/** What of the migration a version that serves beside it, or is put back after it, would not survive. */
export async function refusalsOf(migration: Migration): Promise<Refusal[]> {
  const statements = await statementsOf(migration);
  const made = new Set(statements.flatMap((text) => /^create (?:unlogged )?table (?:if not exists )?"?(\w+)"?/.exec(text)?.[1] ?? []));
  const refusals = statements.flatMap((statement) => {
    const table = tableOf.map((form) => form.exec(statement)?.[1]).find((name) => name !== undefined);
    const isOwn = table !== undefined && made.has(table);
    const broken = rules.filter(({ refused, contracts, anywhere }) => {
      if ((isOwn && anywhere !== true) || (contracts === true && migration.contracts === true)) return false;
      return refused.test(statement);
    });
    return broken.map(({ why }) => ({ statement, why }));
  });
  return [...refusals, ...transactionRefusals(migration, statements)];
}

/** What may be killed half-way must bear being run again. */
function transactionRefusals({ transaction }: Migration, statements: readonly string[]): Refusal[] {
  return statements.flatMap((statement, i) => {
    const index = /^create (?:unique )?index concurrently (?:if not exists )?(\w+)/.exec(statement)?.[1];
    const isOutside = / concurrently /.test(statement) || /^(?:update|delete from) /.test(statement);
    if (isOutside && transaction !== false) return [{ statement, why: 'belongs outside a transaction: transaction = false' }];
    const isDropped = index === undefined || statements.slice(0, i).includes(`drop index concurrently if exists ${index}`);
    return isDropped ? [] : [{ statement, why: 'one that was killed leaves a broken index: drop index concurrently if exists, first' }];
  });
}

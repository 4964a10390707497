import type { QueryRunner } from 'typeorm';
import { migrations } from '../../migrations/all';
import { refusalsOf, type Migration } from './migration-rules';

const sending = (statements: readonly string[], options: Partial<Migration> = {}): Migration => ({
  up: async (runner: QueryRunner) => {
    for (const statement of statements) await runner.query(statement);
  },
  down: () => Promise.resolve(),
  ...options,
});
const outside = { transaction: false };

describe('migrations', () => {
  it.each(migrations.map((migration) => migration.name))('%s is survived by the version that serves beside it', async (name) => {
    const Migration = migrations.find((one) => one.name === name)!;
    const refusals = await refusalsOf(new Migration());
    expect(refusals).toEqual([]);
  });

  it.each<[string, Partial<Migration>?]>([
    ['drop table payments'],
    ['drop view payments'],
    ['drop index payments_by_key'],
    ['alter table payments drop column note'],
    ['ALTER TABLE payments\n  DROP CONSTRAINT payments_key'],
    ['alter table payments rename column note to remark'],
    ['alter table payments rename to old_payments'],
    ['alter index payments_by_key rename to by_key'],
    ['alter table payments alter column amount type bigint'],
    ['alter table payments alter amount set data type bigint'],
    ['alter table payments alter column note set not null'],
    ['alter table payments alter column note drop default'],
    ['alter table payments add column note text not null'],
    ['alter table payments add column key uuid not null default gen_random_uuid()'],
    ['alter table payments add column sum bigint generated always as (a + b) stored'],
    ['alter table payments add column key text unique'],
    [`alter table payments add constraint payments_state check (state in ('a'))`],
    ['alter table payments add foreign key (app_id) references miniapps (id)'],
    ['alter table payments add constraint payments_key unique (key)'],
    ['create index payments_by_note on payments (note)'],
    ['create unique index payments_by_note on payments (note)'],
    [`update payments set note = 'n'`, outside],
    ['delete from payments where note is null', outside],
    [`update payments set note = 'n' where ctid = any(array(select ctid from payments where note is null limit 20))`],
    ['alter table payments set tablespace fast'],
    ['lock table payments in exclusive mode'],
    ['truncate payments'],
    ['cluster payments'],
    ['vacuum full payments', outside],
    ['reindex table payments', outside],
    ['create index concurrently payments_by_note on payments (note)', outside],
    ['drop index concurrently if exists payments_by_note'],
  ])('may not: %s', async (...[statement, options]) => {
    const refusals = await refusalsOf(sending([statement], options));
    expect(refusals.map(({ why }) => why)).toEqual([expect.any(String)]);
  });

  it.each<[string, readonly string[], Partial<Migration>?]>([
    ['add a column that may be null', ['alter table payments add column note text']],
    ['add a column with a constant', [`alter table payments add column state text not null default 'open'`]],
    ['add a constraint for new rows', [`alter table payments add constraint s check (state <> '') not valid`]],
    ['validate it later', ['alter table payments validate constraint s']],
    ['make a table with indexes', ['create table notes (id text not null unique)', 'create index notes_by_id on notes (id)']],
    [
      'index beside the calls',
      ['drop index concurrently if exists p_note', 'create index concurrently p_note on payments (note)'],
      outside,
    ],
    ['fill a few rows in', ['update payments set note = $1 where id in (select id from payments limit 20)'], outside],
    ['take away what nobody names any more', ['alter table payments drop column note', 'drop table notes'], { contracts: true }],
  ])('may %s', async (...[, statements, options]) => {
    expect(await refusalsOf(sending(statements, options))).toEqual([]);
  });

  it('may not rename or retype what nobody names any more, either', async () => {
    const contracts = { contracts: true };
    for (const statement of ['alter table payments rename to old', 'alter table payments alter note type int']) {
      expect(await refusalsOf(sending([statement], contracts))).toHaveLength(1);
    }
  });
});

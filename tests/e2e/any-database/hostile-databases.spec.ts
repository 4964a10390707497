import { databaseKinds } from '../../support/postgres/database';
import { doDailyBusiness } from '../../support/any-database/daily-business';
import { openOwnDatabase, type OwnDatabase } from '../../support/any-database/own-database';

interface Case {
  readonly what: string;
  readonly options?: string;
  readonly statements: (database: OwnDatabase) => readonly string[];
}

/** B3, B4 and their siblings: whatever changes how values are read and written, and when a statement fails. */
const settings = {
  ...{ datestyle: 'SQL, DMY', default_transaction_isolation: 'serializable', default_transaction_deferrable: 'on' },
  ...{ intervalstyle: 'sql_standard', timezone: 'Asia/Kathmandu', bytea_output: 'escape', extra_float_digits: '-15' },
  ...{ standard_conforming_strings: 'off', array_nulls: 'off', transform_null_equals: 'on', client_encoding: 'LATIN1' },
  ...{ client_min_messages: 'error', synchronous_commit: 'off', idle_session_timeout: '200', lock_timeout: '1' },
  ...{ quote_all_identifiers: 'on', plan_cache_mode: 'force_generic_plan' },
};

const cases: readonly Case[] = [
  {
    what: 'every setting changed that the code relies on',
    statements: ({ name }) => Object.entries(settings).map(([setting, value]) => `alter database ${name} set ${setting} = '${value}'`),
  },
  {
    what: 'numbers sorted by value, foreign extensions, and a schema of its own',
    options: `template template0 locale_provider icu icu_locale 'en-u-kn-true' encoding 'UTF8'`,
    statements: ({ owner }) => [
      `create schema pierhead authorization ${owner}`,
      `alter role ${owner} set search_path = pierhead`,
      'drop schema public cascade',
      ...['create schema more', 'create extension citext schema more', 'create extension hstore schema more'],
    ],
  },
];

(databaseKinds.includes('postgres') ? describe : describe.skip)('a database, as its owner who is no superuser', () => {
  it.each(cases)('serves with $what', async ({ options, statements }) => {
    const database = await openOwnDatabase(options);
    try {
      await database.asAdmin(...statements(database));
      expect(await doDailyBusiness(database.url)).toEqual({
        calls: [200, 200, 200],
        delivered: true,
        found: expect.any(Number),
        listens: true,
        warnings: ['audit-trail-unprotected'],
        whole: true,
      });
    } finally {
      await database.close();
    }
  });
});

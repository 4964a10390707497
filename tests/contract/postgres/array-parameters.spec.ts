import {
  arrayParameter,
  columnParameters,
  type ArrayType,
  type ArrayValue,
} from '../../../src/adapters/out/postgres/connection/array-parameters';
import { run } from '../../../src/adapters/out/postgres/connection/statement';
import { onEachDatabase } from '../each-database';

/** What a column holds, as Postgres itself prints it. */
const printed = {
  text: 'value',
  bytea: `encode(value, 'hex')`,
  boolean: 'value::text',
  integer: 'value::text',
  timestamptz: `to_char(value at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`,
} as const satisfies Record<ArrayType, string>;

const cases: readonly (readonly [ArrayType, readonly ArrayValue[], readonly (string | null)[]])[] = [
  ['text', ['', 'a', null, '{"a",\\b}', 'NULL', 'größer 値 🚢', '  '], ['', 'a', null, '{"a",\\b}', 'NULL', 'größer 値 🚢', '  ']],
  ['text', ['half a pair: \ud83d'], ['half a pair: \ufffd']],
  ['bytea', [Buffer.of(), null, Buffer.of(0, 92, 255), new Uint8Array([1, 2])], ['', null, '005cff', '0102']],
  ['boolean', [true, null, false], ['true', null, 'false']],
  ['integer', [0, -1, null, 2_147_483_647, -2_147_483_648], ['0', '-1', null, '2147483647', '-2147483648']],
  [
    'timestamptz',
    [0, 946_684_800_000, 1_795_000_000_123, -1, Date.UTC(9999, 11, 31, 23, 59, 59, 999)].map((ms) => new Date(ms)),
    [
      '1970-01-01 00:00:00.000000',
      '2000-01-01 00:00:00.000000',
      '2026-11-18 11:06:40.123000',
      '1969-12-31 23:59:59.999000',
      '9999-12-31 23:59:59.999000',
    ],
  ],
];

onEachDatabase((name, database) => {
  describe(`arrays in binary form: ${name}`, () => {
    it.each(cases)('gives %s as it is: %j', async (type, values, expected) => {
      const statement = {
        name: `test.array-${type}`,
        text: `select ${printed[type]} as value from unnest($1::${type}[]) with ordinality as a (value, ordinal) order by ordinal`,
      };
      const rows = await run<{ value: string | null }>(database().db, statement, [arrayParameter(type, values)]);
      expect(rows.map(({ value }) => value)).toEqual(expected);
    });

    it('gives an array of nothing', async () => {
      const statement = { name: 'test.array-none', text: 'select cardinality($1::text[]) as count' };
      expect(await run(database().db, statement, [arrayParameter('text', [])])).toEqual([{ count: 0 }]);
    });

    it('gives rows by their columns', async () => {
      const statement = { name: 'test.array-rows', text: 'select * from unnest($1::text[], $2::integer[]) as g (name, number)' };
      const rows = await run(
        database().db,
        statement,
        columnParameters(
          ['text', 'integer'],
          [
            ['a', 1],
            ['b', null],
          ],
        ),
      );
      expect(rows).toEqual([
        { name: 'a', number: 1 },
        { name: 'b', number: null },
      ]);
    });
  });
});

it.each<[ArrayType, ArrayValue, string]>([
  ['integer', 2_147_483_648, 'out of range'],
  ['timestamptz', new Date(NaN), 'NaN cannot be converted'],
])('refuses an %s that there is not: %p', (type, value, words) => {
  expect(() => arrayParameter(type, [value])).toThrow(words);
});

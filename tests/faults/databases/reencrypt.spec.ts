import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { resealColumn, type Resealing } from '../../../src/adapters/out/postgres/sealing/reencrypt';
import { countSeals } from '../../../src/adapters/out/postgres/sealing/seal-census';
import { sealedColumns, type SealedColumn } from '../../../src/adapters/out/postgres/sealing/sealed-columns';
import { AesSecretCipher, keyIdOf, sealHeader } from '../../../src/adapters/out/secrets/secret-cipher';
import { onEachDatabase } from '../../contract/each-database';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { fillSealed, readSealed, sealedStores, storeUser, type SealedStores } from '../../support/postgres/sealed-rows';
import { startServiceProcess } from '../../support/service/service-process';

const keyOf = (id: string) => ({ id, key: Buffer.alloc(32, id) });
const ringOf = (...ids: string[]) => new AesSecretCipher(ids.map(keyOf));
const ringText = (...ids: string[]) => ids.map((id) => `${id}:${keyOf(id).key.toString('base64')}`).join(',');
const nameOf = ({ table, column }: Pick<SealedColumn, 'table' | 'column'>) => `${table}.${column}`;

/** Bytes that are no secret and not sealed: keyed digests, by which rows are found. */
const digests = [
  ...['users.reference_digest', 'user_tokens.reference_digest', 'consents.reference_digest', 'consent_entries.reference_digest'],
  ...['shared_tasks.key_digest', 'idempotent_calls.key_digest', 'idempotent_calls.body_digest'],
  ...[
    'payment_conflicts.report_digest',
    'miniapp_transactions.content_digest',
    'miniapp_transactions.user_digest',
    'order_payments.user_digest',
    'evidence_links.token_digest',
  ],
];

onEachDatabase((name, database) => {
  const users = 150;
  const resealAll = async (box: AesSecretCipher, first: string): Promise<Resealing[]> => {
    const done: Resealing[] = [];
    for (const of of sealedColumns) done.push(await resealColumn({ db: database().db, box, header: sealHeader(first) }, of));
    return done;
  };
  const keysInUse = async () => {
    const counts = await Promise.all(sealedColumns.map((of) => countSeals(database().db, of.table, [of.column])));
    return [...new Set(counts.flat().map(({ header }) => keyIdOf(header)))].sort();
  };
  const sum = (all: readonly Resealing[], what: 'seen' | 'resealed' | 'current' | 'unreadable') => all.reduce((n, one) => n + one[what], 0);

  describe(`re-encryption: ${name}`, () => {
    beforeEach(() => database().wipe());

    it('knows every column that holds bytes', async () => {
      const rows: { name: string }[] = await database().db.query(`
        select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and data_type = 'bytea'`);
      expect(rows.map((row) => row.name).sort()).toEqual([...sealedColumns.map(nameOf), ...digests].sort());
    });

    it('re-encrypts every column once, so that all opens with the new key alone', async () => {
      const before = await sealedStores(database().db, ringOf('k1'));
      await fillSealed(before, users);
      const kept = await readSealed(before, users);
      expect(await keysInUse()).toEqual(['k1']);

      const first = await resealAll(ringOf('k2', 'k1'), 'k2');
      expect(first.filter(({ seen }) => seen === 0).map(nameOf)).toEqual(['payment_completions_early.completion']);
      expect([sum(first, 'resealed'), sum(first, 'current'), sum(first, 'unreadable')]).toEqual([sum(first, 'seen'), 0, 0]);
      expect(await keysInUse()).toEqual(['k2']);
      expect(await readSealed(await sealedStores(database().db, ringOf('k2')), users)).toEqual(kept);

      const again = await resealAll(ringOf('k2', 'k1'), 'k2');
      expect([sum(again, 'seen'), sum(again, 'resealed'), sum(again, 'current')]).toEqual([sum(first, 'seen'), 0, sum(first, 'seen')]);
    });

    it('re-encrypts a result that came before its payment', async () => {
      await fillSealed(await sealedStores(database().db, ringOf('k1')), 1);
      const early = (await resealAll(ringOf('k2', 'k1'), 'k2')).find(({ table }) => table === 'payment_completions_early');
      expect(early).toMatchObject({ seen: 1, resealed: 1 });
      expect(await readSealed(await sealedStores(database().db, ringOf('k2')), 1)).toMatchObject({ early: { status: 'paid' } });
    });

    it('leaves, counts and skips what it cannot open', async () => {
      await fillSealed(await sealedStores(database().db, ringOf('k1')), 2);
      await storeUser(await sealedStores(database().db, ringOf('k2', 'k1')), 'user-2', 'access-2');
      const without = (await resealAll(ringOf('k2'), 'k2')).find((one) => nameOf(one) === 'users.data');
      expect(without).toMatchObject({ seen: 3, resealed: 0, current: 1, unreadable: 2 });
      await database().db.query(`
        update users set data = set_byte(data, octet_length(data) - 1, 255 - get_byte(data, octet_length(data) - 1)) where reference_digest in (
          select reference_digest from users where get_byte(data, 3) = ascii('1') order by 1 limit 1)`);
      const damaged = (await resealAll(ringOf('k2', 'k1'), 'k2')).find((one) => nameOf(one) === 'users.data');
      expect(damaged).toMatchObject({ seen: 3, resealed: 1, current: 1, unreadable: 1 });
      expect(await keysInUse()).toEqual(['k1', 'k2']);
    });

    it('loses nothing of what many write meanwhile', async () => {
      const old = await sealedStores(database().db, ringOf('k1', 'k2'));
      await fillSealed(old, 1);
      const fresh = await sealedStores(database().db, ringOf('k2', 'k1'));
      const latest = new Map<string, string>();
      const lost: string[] = [];
      let running = true;
      // Each user has one writer, which finds what it wrote last, or somebody has overwritten it.
      const check = async ({ tokens }: SealedStores, reference: string): Promise<void> => {
        const stored = await tokens.find({ clientId: 'host_1', reference });
        if (stored?.accessToken.reveal() !== latest.get(reference)) lost.push(reference);
      };
      const write = async (stores: SealedStores, writer: number): Promise<void> => {
        for (let i = 0; running; i++) {
          const reference = `user-${String(writer)}-${String(i % 10)}`;
          if (i >= 10) await check(stores, reference);
          await storeUser(stores, reference, `access-${String(i)}`);
          latest.set(reference, `access-${String(i)}`);
        }
      };
      const writers = [write(old, 1), write(old, 2), write(fresh, 3)];
      let overtaken = 0;
      for (let round = 0; round < 5; round++)
        overtaken += (await resealAll(ringOf('k2', 'k1'), 'k2')).reduce((n, one) => n + one.overtaken, 0);
      running = false;
      await Promise.all(writers);
      await resealAll(ringOf('k2', 'k1'), 'k2');
      const alone = await sealedStores(database().db, ringOf('k2'));
      for (const reference of latest.keys()) await check(alone, reference);
      process.stdout.write(
        `re-encryption against writers (${name}): ${JSON.stringify({ written: latest.size, overtaken, lost: lost.length })}\n`,
      );
      expect([latest.size, lost, await keysInUse()]).toEqual([30, [], ['k2']]);
    });
  });
});

describe('the command', () => {
  const run = async (env: Record<string, string>, ...args: string[]) => {
    const { DATABASE_URL: _none, ...inherited } = process.env;
    const cli = join(__dirname, '../../../dist/src/cli.js');
    const command = { env: { ...inherited, NODE_ENV: 'development', ...env } };
    try {
      return { code: 0, output: (await promisify(execFile)(process.execPath, [cli, ...args], command)).stdout };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  };

  (databaseKinds.includes('postgres') ? it : it.skip)(
    'lists keys, re-encrypts, and says which key can go',
    async () => {
      const database: TestDatabase = await openTestDatabase('postgres');
      try {
        await fillSealed(await sealedStores(database.db, ringOf('k1')), 2);
        const url = { DATABASE_URL: database.target.kind === 'postgres' ? database.target.url : '' };
        expect(await run(url, 'keys', 'list')).toMatchObject({
          code: 0,
          output: expect.stringMatching(/^k1: \d+ values\n {2}kept_keys.sealed: 1\n/) as string,
        });
        const without = await run({ ...url, ENCRYPTION_KEYS: ringText('k2') }, 'keys', 'reencrypt');
        expect([without.code, without.output]).toEqual([
          1,
          expect.stringMatching(/users.data: 2 seen, .* 2 not readable\n[^]*k1 still seals \d+ values/),
        ]);
        const all = await run({ ...url, ENCRYPTION_KEYS: ringText('k2', 'k1') }, 'keys', 'reencrypt');
        expect([all.code, all.output]).toEqual([0, expect.stringMatching(/users.data: 2 seen, 2 sealed anew, [^]*All is sealed under k2/)]);
        expect((await run(url, 'keys', 'list')).output).toMatch(/^k2: \d+ values\n/);
        expect(await run(url, 'keys', 'reencrypt')).toMatchObject({
          code: 2,
          output: expect.stringContaining('ENCRYPTION_KEYS is needed') as string,
        });
      } finally {
        await database.close();
      }
    },
    30_000,
  );

  it('says that the service must be stopped first if it has the embedded database open', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'pierhead-keys-'));
    const env = { DATA_DIR: dataDir, ENCRYPTION_KEYS: ringText('k1') };
    try {
      const service = await startServiceProcess(env);
      const refused = await run({ DATA_DIR: dataDir, ENCRYPTION_KEYS: ringText('k2', 'k1') }, 'keys', 'reencrypt');
      expect(await service.end('SIGTERM')).toBe(0);
      expect([refused.code, refused.output]).toEqual([2, expect.stringMatching(/in use by another process. Stop it/)]);
      const done = await run({ DATA_DIR: dataDir, ENCRYPTION_KEYS: ringText('k2', 'k1') }, 'keys', 'reencrypt');
      expect([done.code, done.output]).toEqual([0, expect.stringContaining('kept_keys.sealed: 1 seen, 1 sealed anew')]);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 30_000);
});

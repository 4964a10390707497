import { randomUUID } from 'node:crypto';
import { MemoryIdempotencyLedger } from '../../src/adapters/out/memory/memory-idempotency-ledger';
import { PostgresIdempotencyLedger } from '../../src/adapters/out/postgres/postgres-idempotency-ledger';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { testBox } from '../support/test-box';
import { onEachDatabase, onSecondSource } from './each-database';
import { idempotencyLedgerContract } from './idempotency-ledger.contract';

idempotencyLedgerContract('memory', async () => {
  let ahead = 0;
  const ledger = new MemoryIdempotencyLedger({ clock: { now: () => Date.now() + ahead }, ids: { next: randomUUID } });
  const hours = (many: number) => async () => {
    ahead += many * 3_600_000;
  };
  return { ledger, other: ledger, expireLeases: hours(1), expireAll: hours(24) };
});

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const deps = { db, box: testBox(), index: await openReferenceIndex(db, testBox()) };
    return {
      ledger: new PostgresIdempotencyLedger(deps),
      other: new PostgresIdempotencyLedger({ ...deps, db: second() }),
      expireLeases: async () => {
        await db.query(`update idempotent_calls set lease_until = now() - interval '1 s'`);
      },
      expireAll: async () => {
        await db.query(`update idempotent_calls set expires_at = expires_at - interval '24 h'`);
      },
    };
  };
  idempotencyLedgerContract(name, inDatabase);

  it('keeps neither name, body nor answer readable', async () => {
    const { ledger } = await inDatabase();
    const call = { caller: 'canary-caller', integrationId: 'int_1', path: '/canary', key: 'canary-key' };
    const found = await ledger.claim(call, Buffer.from('canary-digest'), 60_000);
    await ledger.finish(call, 'lease' in found ? found.lease : '', { status: 200, body: Buffer.from('canary-answer') });
    const rows: { shown: string }[] = await database().db.query('select t::text as shown from idempotent_calls t');
    expect(rows).toHaveLength(1);
    expect(rows[0]!.shown).not.toContain('canary');
    expect(rows[0]!.shown).not.toContain(Buffer.from('canary').toString('hex'));
  });
});

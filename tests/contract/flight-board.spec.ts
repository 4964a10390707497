import { randomUUID } from 'node:crypto';
import { MemoryFlightBoard } from '../../src/adapters/out/memory/memory-flight-board';
import { PostgresFlightBoard } from '../../src/adapters/out/postgres/postgres-flight-board';
import { openReferenceIndex } from '../../src/adapters/out/postgres/reference-index';
import { Secret } from '../../src/domain/shared/secret';
import { testBox } from '../support/test-box';
import { onEachDatabase, onSecondSource } from './each-database';
import { flightBoardContract } from './flight-board.contract';

flightBoardContract('memory', async () => {
  let ahead = 0;
  const board = new MemoryFlightBoard({ clock: { now: () => Date.now() + ahead }, ids: { next: randomUUID } });
  return {
    board,
    other: board,
    expireAll: async () => {
      ahead += 3_600_000;
    },
  };
});

onEachDatabase((name, database) => {
  const second = onSecondSource(name, database);

  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    const index = await openReferenceIndex(db, box);
    return {
      board: new PostgresFlightBoard({ db, box, index }),
      other: new PostgresFlightBoard({ db: second(), box: testBox(), index: await openReferenceIndex(second(), testBox()) }),
      expireAll: async () => {
        await db.query(`update flights set lease_until = now() - interval '1 s', expires_at = now() - interval '1 s'`);
      },
    };
  };
  flightBoardContract(name, inDatabase);

  it('keeps neither the key nor the value readable', async () => {
    const { board } = await inDatabase();
    const key = { purpose: 'auth-code', key: 'canary-code' } as const;
    const found = await board.claim(key, 60_000);
    await board.land(key, 'lease' in found ? found.lease : '', new Secret('canary-token'), 60_000);
    const rows: { shown: string }[] = await database().db.query('select t::text as shown from flights t');
    expect(rows).toHaveLength(1);
    expect(rows[0]!.shown).not.toContain('canary');
    expect(rows[0]!.shown).not.toContain(Buffer.from('canary').toString('hex'));
  });
});

import { describeOnOwnPostgres, OwnPostgres } from '../cluster/own-postgres';
import { PayingLoad, type Answer } from '../cluster/paying-load';
import { openFaultProxy, type FaultProxy } from '../harness/fault-proxy';
import { chanceOf, figure, inThisForm, within } from '../harness/fault-run';

const cuts = inThisForm({ short: 40, long: 500 });
/** The bytes that a completion sends and receives at most on one connection. */
const maxBytes = { server: 4500, client: 1600 };

describeOnOwnPostgres('the wire to Postgres, cut at a byte by chance during complete-order', () => {
  let database: OwnPostgres;
  let proxy: FaultProxy;
  let load: PayingLoad;
  beforeAll(async () => {
    database = await OwnPostgres.create();
    proxy = await openFaultProxy(database.port);
    load = await PayingLoad.over(database.url.replace(String(database.port), String(proxy.port)));
  }, 60_000);
  afterAll(async () => {
    await load.close();
    await proxy.close();
    await database.remove();
  }, 30_000);

  const hasRow = async (id: string): Promise<boolean> =>
    (await database.query(`select from order_payments where order_payment_id = $1 and status = 'paid'`, [id])).length === 1;

  it(
    'leaves no 200 without a row, and a repeat gives the right answer (R4)',
    async () => {
      const startedAt = performance.now();
      const chance = chanceOf('bytes');
      const counts = { cuts: 0, okWithoutRow: 0, ok: 0, unknownWithRow: 0, unknownWithoutRow: 0, wrongRepeats: 0 };
      // Every second cut is looked for near the last byte of all, where the commit is done and its answer is not there yet.
      let end = maxBytes.client / 2;
      for (let turn = 0; counts.cuts < cuts && turn < cuts * 4; turn++) {
        const id = (await load.create())!;
        const before = proxy.cut;
        const atEnd = turn % 2 === 0;
        const toward = atEnd || turn % 4 === 1 ? 'client' : 'server';
        const bytes = Math.floor(atEnd ? end * (0.97 + 0.06 * chance()) : maxBytes[toward] * chance());
        proxy.set({ kind: 'limit', bytes, toward });
        const { status } = await load.complete(id);
        proxy.set(undefined);
        const wasCut = proxy.cut > before;
        if (atEnd) end *= wasCut ? 1.02 : 0.95;
        if (!wasCut) continue;
        counts.cuts++;
        const row = await hasRow(id);
        if (status === 200) counts[row ? 'ok' : 'okWithoutRow']++;
        else counts[row ? 'unknownWithRow' : 'unknownWithoutRow']++;
        if (!isRight(await load.complete(id), id)) counts.wrongRepeats++;
      }
      const tally = await load.tally(database);
      const unclear = load.unclear();
      figure('R4', { ...counts, unclear: unclear.length, ...tally }, startedAt);
      expect(unclear.slice(0, 3)).toEqual([]);
      expect(counts).toMatchObject({ cuts, okWithoutRow: 0, wrongRepeats: 0 });
      expect(tally).toMatchObject({ withoutRow: 0, lost: 0, invented: 0, altered: 0, stillPending: 0 });
      // Cuts before the commit, and between the commit and its answer.
      expect(Math.min(counts.unknownWithRow, counts.unknownWithoutRow)).toBeGreaterThan(0);
    },
    within(60_000),
  );
});

const isRight = ({ status, body }: Answer, id: string): boolean =>
  status === 200 && body.order_payment_id === id && body.payment_status === 'paid';

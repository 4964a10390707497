import { appendAudit } from '../../../src/adapters/out/postgres/audit/audit-statement';
import { PostgresChangeReader } from '../../../src/adapters/out/postgres/changes/postgres-change-reader';
import { PostgresExchangeLog } from '../../../src/adapters/out/postgres/exchanges/postgres-exchange-log';
import { transaction } from '../../../src/adapters/out/postgres/connection/statement';
import { CollectingLog } from '../../support/collecting-log';
import { ManualClock } from '../../support/manual-clock';
import { onEachDatabase } from '../each-database';
import { anExchange } from '../exchanges/exchange-log.contract';

onEachDatabase((name, database) => {
  describe(`PostgresChangeReader: ${name}`, () => {
    const clock = new ManualClock();
    const begin = async () => {
      const { db, wipe } = database();
      await wipe();
      const write = async (number: number, more: object = {}): Promise<void> => {
        const log = new PostgresExchangeLog({ db, log: new CollectingLog() });
        log.append({ ...anExchange(number), at: clock.now() - 30_000, clientId: 'h1', appId: 'm1', ...more });
        await log.close();
      };
      const audit = (subject: string) =>
        transaction(db, (manager) => appendAudit(manager, { actor: 'operator', action: 'a.b', subject, requestId: 'r', at: clock.now() }));
      return { write, audit, watch: new PostgresChangeReader({ db, clock }) };
    };
    const pair = { clientId: 'h1', appId: 'm1' };

    it('finds nothing at its first poll, and then each change once', async () => {
      const { write, watch } = await begin();
      await write(1);
      expect(await watch.poll()).toEqual([]);
      expect(await watch.poll()).toEqual([]);
      await write(2, { call: 'connect' });
      expect(await watch.poll()).toEqual([{ topic: 'exchanges', ...pair }]);
      expect(await watch.poll()).toEqual([]);
    });

    it('finds what began earlier and was written later', async () => {
      const { write, watch } = await begin();
      await write(2, { at: clock.now() });
      await watch.poll();
      await write(1, { call: 'connect', at: clock.now() - 20_000 });
      expect(await watch.poll()).toEqual([{ topic: 'exchanges', ...pair }]);
    });

    it('tells of a payment where its call was made', async () => {
      const { write, watch } = await begin();
      await watch.poll();
      await write(1, { call: 'create_order_payment' });
      expect(await watch.poll()).toEqual([
        { topic: 'exchanges', ...pair },
        { topic: 'payments', ...pair },
      ]);
    });

    it('tells whom an entry of the audit trail is about', async () => {
      const { audit, watch } = await begin();
      await watch.poll();
      for (const subject of ['integration:h1/m1', 'host-app:h2', 'miniapp:m3', 'user:x']) await audit(subject);
      const found = await watch.poll();
      expect(found.filter(({ topic }) => topic === 'integrations')).toEqual(
        expect.arrayContaining([
          { topic: 'integrations', ...pair },
          { topic: 'integrations', clientId: 'h2' },
          { topic: 'integrations', appId: 'm3' },
        ]),
      );
      expect(found).toContainEqual({ topic: 'audit' });
      expect(found).toHaveLength(7);
    });
  });
});

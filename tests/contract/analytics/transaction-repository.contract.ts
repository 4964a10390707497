import type { TransactionRepository } from '../../../src/domain/analytics/ports';
import { JsonNumber, type JsonArray, type JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { aTransaction } from '../../support/transactions';
import { notIds } from '../each-database';

export interface StoreHarness {
  readonly repository: TransactionRepository;
  /** Another instance's ledger over the same storage. */
  readonly other: TransactionRepository;
}

const keyOf = (transactionId: string, integrationId = 'int_1') => ({ integrationId, transactionId });

/** What may be relied on, wherever reported transactions are kept. */
export function transactionRepositoryContract(name: string, open: () => Promise<StoreHarness>): void {
  describe(`TransactionRepository: ${name}`, () => {
    let repository: TransactionRepository;
    let other: TransactionRepository;
    beforeEach(async () => {
      ({ repository, other } = await open());
    });
    const idOf = async (transactionId: string, integrationId?: string) => (await repository.find(keyOf(transactionId, integrationId)))?.id;

    it('keeps a report whole, every text and number as it came', async () => {
      const reported = aTransaction();
      expect(await repository.keep([reported])).toEqual([]);
      expect(await repository.find(keyOf('tx-1 €'))).toEqual(reported);
      expect(reported.at).toBe(Date.UTC(2026, 0, 2, 2, 4, 5, 678));
    });

    it('keeps a report with only the required members, dated by when it was received', async () => {
      const bare = { shipping: undefined, tax: undefined, discount: undefined, orderPaymentId: undefined, miniappOrderId: undefined };
      const rest = { userReference: undefined, occurredAt: undefined, items: undefined, customer: undefined, customAttributes: undefined };
      const reported = aTransaction({ ...bare, ...rest });
      await repository.keep([reported]);
      expect(await repository.find(keyOf('tx-1 €'))).toEqual(reported);
      expect(reported.at).toBe(reported.receivedAt);
    });

    it('counts the same report once: the first stays', async () => {
      const first = aTransaction();
      await repository.keep([first]);
      expect(await repository.keep([aTransaction({}, { requestId: 'req-2' })])).toEqual([]);
      expect(await other.find(keyOf('tx-1 €'))).toEqual(first);
    });

    it('ignores member order, spelling of amounts and time offsets when it compares reports', async () => {
      const first = aTransaction();
      await repository.keep([first]);
      const customAttributes = readJsonText('{"a":[{"c":2,"d":1}],"b":1e400}') as JsonObject;
      const items = readJsonText('[{"a":null,"z":1.10},2]') as JsonArray;
      const spelling = { amount: '12345678901234567.1', tax: '100', discount: new JsonNumber('0'), occurredAt: '2026-01-02T02:04:05.678Z' };
      expect(await repository.keep([aTransaction({ ...spelling, customAttributes, items })])).toEqual([]);
      expect(await idOf('tx-1 €')).toBe(first.id);
    });

    it.each<[string, Parameters<typeof aTransaction>[0]]>([
      ['amount', { amount: '12345678901234567.11' }],
      ['currency', { currency: 'usd' }],
      ['status', { status: 'refunded' }],
      ['shipping', { shipping: '1.11' }],
      ['tax', { tax: undefined }],
      ['discount', { discount: undefined }],
      ['order payment', { orderPaymentId: 'op-2' }],
      ['order', { miniappOrderId: undefined }],
      ['user', { userReference: 'user-2' }],
      ['time', { occurredAt: '2026-01-02T03:04:05.677+01:00' }],
      ['absence of a time', { occurredAt: undefined }],
      ['items, of another order', { items: readJsonText('[2,{"z":1.10,"a":null}]') as JsonArray }],
      ['customer', { customer: readJsonText('{"name":"Mia"}') as JsonObject }],
      ['attributes', { customAttributes: readJsonText('{"b":1e401,"a":[{"d":1,"c":2}]}') as JsonObject }],
    ])('reports another %s under the same id, and keeps the first', async (_what, more) => {
      const first = aTransaction();
      await repository.keep([first]);
      expect(await repository.keep([aTransaction(more)])).toEqual(['tx-1 €']);
      expect(await repository.find(keyOf('tx-1 €'))).toEqual(first);
    });

    it('keeps all of a list or none, and names every id that is stored with other content', async () => {
      await repository.keep([
        aTransaction({ transactionId: 'a' }),
        aTransaction({ transactionId: 'b' }),
        aTransaction({ transactionId: 'c' }),
      ]);
      const list = ['d', 'c', 'b', 'a', 'e'].map((transactionId) =>
        aTransaction({ transactionId, ...((transactionId === 'a' || transactionId === 'c') && { amount: '1' }) }),
      );
      expect([...(await repository.keep(list))].sort()).toEqual(['a', 'c']);
      expect([await idOf('d'), await idOf('e')]).toEqual([undefined, undefined]);
      expect(await repository.keep(list.filter(({ report }) => !['a', 'c'].includes(report.transactionId)))).toEqual([]);
      expect([await idOf('d'), await idOf('e')]).toEqual([list[0]!.id, list[4]!.id]);
    });

    it('keeps five hundred in one call', async () => {
      const list = Array.from({ length: 500 }, (_, i) => aTransaction({ transactionId: `tx-${i}` }));
      expect(await repository.keep(list)).toEqual([]);
      expect(await idOf('tx-499')).toBe(list[499]!.id);
    });

    it('knows reports by integration and id together', async () => {
      const mine = aTransaction();
      const theirs = aTransaction({ amount: '2' }, { integrationId: 'int_2' });
      await repository.keep([mine]);
      expect(await repository.keep([theirs])).toEqual([]);
      expect([await idOf('tx-1 €'), await idOf('tx-1 €', 'int_2'), await idOf('tx-1 €', 'int_3')]).toEqual([mine.id, theirs.id, undefined]);
    });

    it('gives twenty concurrent equal calls the same result, whatever the order of ids', async () => {
      const ids = ['a', 'b', 'c', 'd'];
      const calls = Array.from({ length: 20 }, (_, i) => {
        const list = ids.map((transactionId) => aTransaction({ transactionId }));
        return (i % 2 === 0 ? repository : other).keep(i % 3 === 0 ? list.reverse() : list);
      });
      expect((await Promise.all(calls)).flat()).toEqual([]);
      expect((await Promise.all(ids.map((id) => idOf(id)))).every((id) => id !== undefined)).toBe(true);
    });

    it('lets one of two contrary calls win whole, each time', async () => {
      for (let round = 0; round < 20; round++) {
        const list = (amount: string) => [`a${round}`, `b${round}`].map((transactionId) => aTransaction({ transactionId, amount }));
        const [one, two] = [list('1'), list('2').reverse()];
        const [first, second] = await Promise.all([repository.keep(one), other.keep(two)]);
        expect([[...first].sort(), [...second].sort()].sort((a, b) => a.length - b.length)).toEqual([[], [`a${round}`, `b${round}`]]);
        const winner = first.length === 0 ? one : two;
        const kept = await Promise.all([idOf(`a${round}`), idOf(`b${round}`)]);
        expect(kept.sort()).toEqual(winner.map(({ id }) => id).sort());
      }
    });

    it.each(notIds)('never takes %s for an id', async (_what, id) => {
      await repository.keep([aTransaction()]);
      const missing = id as string;
      await expect(repository.find({ ...keyOf('tx-1 €'), transactionId: missing })).rejects.toThrow('transactionId');
      await expect(repository.find({ ...keyOf('tx-1 €'), integrationId: missing })).rejects.toThrow('integrationId');
      await expect(repository.keep([aTransaction({ transactionId: missing })])).rejects.toThrow('transactionId');
      await expect(repository.keep([aTransaction({}, { integrationId: missing })])).rejects.toThrow('integrationId');
    });
  });
}

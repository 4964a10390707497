import { keptAMinute, maxKeptBody, keptForMs } from '../../../src/domain/credentials/explain/kept-parts';
import type { RefusedRequest, RefusedRequestRepository } from '../../../src/domain/credentials/explain/ports';
import { notIds } from '../each-database';

export interface RefusedRequestRepositoryHarness {
  readonly refused: RefusedRequestRepository;
  /** Resolves when kept requests are written. */
  settle(): Promise<void>;
}

const now = Date.UTC(2030, 0, 1);

export const aRefusal = (exchangeId: string, change: Partial<RefusedRequest> = {}): RefusedRequest => ({
  exchangeId,
  partner: { kind: 'miniapp', id: 'app_1' },
  request: {
    method: 'POST',
    target: '/api/v1/orders/create-order-payment/?a=%20',
    rawHeaders: [
      'X-Signature',
      'abc=',
      'Authorization',
      'Basic c2VjcmV0OnNlY3JldA==',
      'cookie',
      'session=CANARY',
      'X-Twice',
      '1',
      'X-Twice',
      '2',
    ],
    body: Buffer.from([0, 0xff, 0x7b, 0x7d]),
    remoteAddress: '192.0.2.1',
  },
  receivedAt: now,
  ...change,
});

/** What the explainer may rely on, whoever keeps refused requests. */
export function refusedRequestRepositoryContract(name: string, open: () => Promise<RefusedRequestRepositoryHarness>): void {
  describe(`RefusedRequestRepository: ${name}`, () => {
    let harness: RefusedRequestRepositoryHarness;
    const keep = async (refusal: RefusedRequest, header = 'X-Signature'): Promise<void> => {
      harness.refused.keep(refusal, header);
      await harness.settle();
    };
    beforeEach(async () => {
      harness = await open();
    });

    it('reveals what it finds, and only that', async () => {
      const audit = () => ({ actor: 'operator', action: 'exchange.request-shown', subject: 'miniapp:app_1', requestId: 'r1', at: now });
      await keep(aRefusal('ex_1'));
      expect(await harness.refused.reveal('ex_1', now, audit)).toEqual(await harness.refused.find('ex_1', now));
      expect(await harness.refused.reveal('ex_2', now, audit)).toBeUndefined();
    });

    it('gives a request back byte by byte, without credentials', async () => {
      await keep(aRefusal('ex_1'));
      const found = await harness.refused.find('ex_1', now);
      expect(found).toMatchObject({ exchangeId: 'ex_1', partner: { kind: 'miniapp', id: 'app_1' }, receivedAt: now });
      const { method, target, rawHeaders, body, remoteAddress } = found!.request;
      expect([method, target, [...body], remoteAddress]).toEqual([
        'POST',
        '/api/v1/orders/create-order-payment/?a=%20',
        [0, 255, 123, 125],
        '',
      ]);
      expect(rawHeaders).toEqual(['X-Signature', 'abc=', 'Authorization', 'Basic ', 'cookie', '', 'X-Twice', '1', 'X-Twice', '2']);
      expect(await harness.refused.has('ex_1', now)).toBe(true);
    });

    it('keeps Authorization if it holds the signature', async () => {
      await keep(aRefusal('ex_1'), 'authorization');
      expect((await harness.refused.find('ex_1', now))?.request.rawHeaders[3]).toBe('Basic c2VjcmV0OnNlY3JldA==');
    });

    it('forgets after a day', async () => {
      await keep(aRefusal('ex_1'));
      expect(await harness.refused.has('ex_1', now + keptForMs - 1)).toBe(true);
      expect(await harness.refused.find('ex_1', now + keptForMs)).toBeUndefined();
      expect(await harness.refused.has('ex_1', now + keptForMs)).toBe(false);
    });

    it('keeps the first of two under one id', async () => {
      await keep(aRefusal('ex_1'));
      await keep(aRefusal('ex_2', { partner: { kind: 'host-app', id: 'host_1' } }));
      expect((await harness.refused.find('ex_2', now))?.partner).toEqual({ kind: 'host-app', id: 'host_1' });
      expect(await harness.refused.find('ex_3', now)).toBeUndefined();
    });

    it(`keeps no body over ${String(maxKeptBody)} bytes`, async () => {
      const { request } = aRefusal('');
      await keep(aRefusal('ex_1', { request: { ...request, body: Buffer.alloc(maxKeptBody) } }));
      await keep(aRefusal('ex_2', { request: { ...request, body: Buffer.alloc(maxKeptBody + 1) } }));
      expect([await harness.refused.has('ex_1', now), await harness.refused.has('ex_2', now)]).toEqual([true, false]);
    });

    it(`keeps ${String(keptAMinute)} a minute for each partner`, async () => {
      const { refused } = harness;
      for (let i = 0; i <= keptAMinute; i++) refused.keep(aRefusal(`ex_${String(i)}`), 'X-Signature');
      refused.keep(aRefusal('of_other', { partner: { kind: 'host-app', id: 'app_1' } }), 'X-Signature');
      refused.keep(aRefusal('later', { receivedAt: now + 60_000 }), 'X-Signature');
      await harness.settle();
      const ids = [`ex_${String(keptAMinute - 1)}`, `ex_${String(keptAMinute)}`, 'of_other', 'later'];
      expect(await Promise.all(ids.map((id) => refused.has(id, now)))).toEqual([true, false, true, true]);
    });

    it.each(notIds)('refuses to look up %s', async (_what, id) => {
      await expect(harness.refused.find(id as string, now)).rejects.toThrow('must be text');
    });
  });
}

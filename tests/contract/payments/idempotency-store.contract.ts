import { createHash } from 'node:crypto';
import type { IdempotencyStore, IdempotentCall, KeptAnswer } from '../../../src/domain/shared/idempotency';
import { notIds } from '../each-database';

export interface StoreHarness {
  readonly store: IdempotencyStore & { prune(): Promise<number> };
  /** A store of another instance on the same storage. */
  readonly other: IdempotencyStore;
  /** Lets every lease run out, but nothing be forgotten. */
  expireLeases(): Promise<void>;
  /** Lets 24 hours pass. */
  expireAll(): Promise<void>;
}

const call: IdempotentCall = { caller: 'host-app host_1', integrationId: 'int_1', path: '/api/v1/connect', key: 'key-1' };
const digest = (text: string) => createHash('sha256').update(text).digest();
const body = digest('{"a":1}');
const minute = 60_000;
const answer: KeptAnswer = { status: 202, body: Buffer.from('{"token":"tök€n","n":1.10}') };

/** What a call with an Idempotency-Key may rely on, whoever keeps the store. */
export function idempotencyStoreContract(name: string, open: () => Promise<StoreHarness>): void {
  describe(`IdempotencyStore: ${name}`, () => {
    let harness: StoreHarness;
    let store: StoreHarness['store'];
    beforeEach(async () => {
      harness = await open();
      ({ store } = harness);
    });
    const claimed = async (of = call, on: IdempotencyStore = store): Promise<string> => {
      const found = await on.claim(of, body, minute);
      if (found.state !== 'claimed') throw new Error(`not claimed, but ${found.state}`);
      return found.lease;
    };
    const found = async (of = call, with_ = body) => {
      const state = await harness.other.claim(of, with_, minute);
      return state.state === 'finished' ? [state.answer.status, Buffer.from(state.answer.body).toString()] : state.state;
    };
    const kept = [202, '{"token":"tök€n","n":1.10}'];

    it('is claimed by exactly one of twenty at once, over two instances', async () => {
      const states = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? store : harness.other).claim(call, body, minute)));
      expect(states.filter(({ state }) => state === 'claimed')).toHaveLength(1);
      expect(states.filter(({ state }) => state === 'running')).toHaveLength(19);
    });

    it('gives the same answer again, byte for byte, each time', async () => {
      const lease = await claimed();
      expect(await found()).toBe('running');
      await store.finish(call, lease, answer);
      for (let i = 0; i < 3; i++) expect(await found()).toEqual(kept);
    });

    it('refuses another body, whether it runs, has ended or died', async () => {
      const lease = await claimed();
      expect(await found(call, digest('{"a":2}'))).toBe('mismatch');
      await harness.expireLeases();
      expect(await found(call, digest('{"a":2}'))).toBe('mismatch');
      await store.finish(call, lease, answer);
      expect(await found(call, digest('{"a":2}'))).toBe('mismatch');
    });

    it('never begins a run again that died', async () => {
      await claimed();
      await harness.expireLeases();
      for (let i = 0; i < 3; i++) expect(await found()).toBe('died');
    });

    it('keeps the answer of a run that ended after its lease', async () => {
      const lease = await claimed();
      await harness.expireLeases();
      await store.finish(call, lease, answer);
      expect(await found()).toEqual(kept);
    });

    it('keeps the first answer', async () => {
      const lease = await claimed();
      await store.finish(call, lease, answer);
      await store.finish(call, lease, { status: 400, body: Buffer.from('{}') });
      await store.release(call, lease);
      expect(await found()).toEqual(kept);
    });

    it('lets a released call happen again, under a lease of its own', async () => {
      const lease = await claimed();
      await store.release(call, lease);
      const again = await claimed(call, harness.other);
      expect(again).not.toBe(lease);
      await store.release(call, lease);
      await store.finish(call, lease, answer);
      expect(await found()).toBe('running');
    });

    it.each([
      ['caller', { ...call, caller: 'miniapp app_1' }],
      ['integration', { ...call, integrationId: 'int_2' }],
      ['path', { ...call, path: '/api/v1/orders/complete-order' }],
      ['key', { ...call, key: 'key-2' }],
      ['boundary between two of them', { ...call, path: '/api/v1/connectkey', key: '-1' }],
    ])('tells calls apart by their %s', async (_what, another) => {
      await store.finish(call, await claimed(), answer);
      expect(await found(another)).toBe('claimed');
    });

    it('forgets what ended, and what died, after 24 hours', async () => {
      await store.finish(call, await claimed(), answer);
      await claimed({ ...call, key: 'died' });
      await harness.expireAll();
      const again = await claimed();
      await claimed({ ...call, key: 'died' });
      await store.finish(call, again, { status: 200, body: Buffer.from('{}') });
      expect(await found()).toEqual([200, '{}']);
    });

    it('is claimed by exactly one of twenty at once after 24 hours', async () => {
      await store.finish(call, await claimed(), answer);
      await harness.expireAll();
      const states = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? store : harness.other).claim(call, body, minute)));
      expect(states.filter(({ state }) => state === 'claimed')).toHaveLength(1);
      expect(states.filter(({ state }) => state === 'running')).toHaveLength(19);
    });

    it('removes what expired and nothing else', async () => {
      await store.finish(call, await claimed(), answer);
      expect(await store.prune()).toBe(0);
      await harness.expireAll();
      await claimed({ ...call, key: 'other' });
      expect(await store.prune()).toBe(1);
      expect(await store.prune()).toBe(0);
      expect(await found({ ...call, key: 'other' })).toBe('running');
    });

    it.each(notIds)('never takes %s for a part of the name or a lease', async (_what, id) => {
      const missing = id as string;
      const lease = await claimed();
      for (const part of ['caller', 'integrationId', 'path', 'key']) {
        await expect(store.claim({ ...call, [part]: missing }, body, minute)).rejects.toThrow();
      }
      await expect(store.finish(call, missing, answer)).rejects.toThrow();
      await expect(store.release(call, missing)).rejects.toThrow();
      expect(await found()).toBe('running');
      await store.finish(call, lease, answer);
    });
  });
}

import { Secret } from '../../../src/domain/shared/secret';
import type { SharedTaskStore, SharedTaskFailure, SharedTaskKey, SharedTaskState } from '../../../src/domain/shared/tasks/single-flight';
import { notIds } from '../each-database';

export interface SharedTaskHarness {
  readonly store: SharedTaskStore & { prune(): Promise<number> };
  /** A store of another instance on the same storage. */
  readonly other: SharedTaskStore;
  /** Lets every lease and every time limit on the store run out. */
  expireAll(): Promise<void>;
}

const key: SharedTaskKey = { purpose: 'auth-code', key: 'code-1 client app' };
const failure: SharedTaskFailure = {
  kind: 'partner-refused',
  code: 'INVALID_AUTH_CODE',
  message: 'no “such” code',
  details: '{"side":"hostapp"}',
};
const minute = 60_000;

const reveal = (found: SharedTaskState | undefined): string | undefined =>
  found?.state === 'completed' ? found.value.reveal() : undefined;

/** What shared work may rely on, whoever keeps the store. */
export function sharedTaskStoreContract(name: string, open: () => Promise<SharedTaskHarness>): void {
  describe(`SharedTaskStore: ${name}`, () => {
    let harness: SharedTaskHarness;
    let store: SharedTaskHarness['store'];
    beforeEach(async () => {
      harness = await open();
      ({ store } = harness);
    });
    const claimed = async (on: SharedTaskStore = store): Promise<string> => {
      const found = await on.claim(key, minute);
      if (found.state !== 'claimed') throw new Error(`not claimed, but ${found.state}`);
      return found.lease;
    };

    it('is claimed by the first caller, whose lease the others see until it completes', async () => {
      expect(await store.find(key)).toBeUndefined();
      const lease = await claimed();
      expect(await store.claim(key, minute)).toEqual({ state: 'running', lease });
      expect(await harness.other.find(key)).toEqual({ state: 'running', lease });
      expect(await store.complete(key, lease, new Secret('tök€n'), minute)).toBe(true);
      expect(reveal(await store.claim(key, minute))).toBe('tök€n');
      expect(reveal(await harness.other.find(key))).toBe('tök€n');
    });

    it('is claimed by exactly one of twenty at once, over two instances', async () => {
      const found = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? store : harness.other).claim(key, minute)));
      expect(found.filter(({ state }) => state === 'claimed')).toHaveLength(1);
      expect(found.filter(({ state }) => state === 'running')).toHaveLength(19);
      expect(new Set(found.map((state) => 'lease' in state && state.lease)).size).toBe(1);
    });

    it('is taken over by exactly one of twenty at once after a failure', async () => {
      await store.fail(key, await claimed(), failure);
      const found = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? store : harness.other).claim(key, minute)));
      expect(found.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    });

    it('shows a failure to waiting callers, and starts again for the next', async () => {
      const lease = await claimed();
      await store.fail(key, lease, failure);
      expect(await harness.other.find(key)).toEqual({ state: 'failed', lease, failure });
      expect(await claimed()).not.toBe(lease);
      expect(await harness.other.find(key)).toMatchObject({ state: 'running' });
    });

    it('gives an expired lease to another caller, and ignores the late result', async () => {
      const late = await claimed();
      await harness.expireAll();
      expect(await store.find(key)).toBeUndefined();
      const lease = await claimed(harness.other);
      expect(await store.complete(key, late, new Secret('late'), minute)).toBe(false);
      await store.fail(key, late, failure);
      expect(await store.find(key)).toEqual({ state: 'running', lease });
      expect(await harness.other.complete(key, lease, new Secret('right'), minute)).toBe(true);
      expect(reveal(await store.find(key))).toBe('right');
    });

    it('lands late where nobody took over', async () => {
      const lease = await claimed();
      await harness.expireAll();
      expect(await store.complete(key, lease, new Secret('late'), minute)).toBe(true);
      expect(reveal(await store.find(key))).toBe('late');
    });

    it('ends a run once, as completed or as failed', async () => {
      const lease = await claimed();
      await store.complete(key, lease, new Secret('v'), minute);
      await store.fail(key, lease, failure);
      expect(await store.complete(key, lease, new Secret('w'), minute)).toBe(false);
      expect(reveal(await store.find(key))).toBe('v');
    });

    it('forgets a value when its time is over', async () => {
      await store.complete(key, await claimed(), new Secret('v'), minute);
      await harness.expireAll();
      expect(await store.find(key)).toBeUndefined();
      await claimed();
    });

    it('lets a value expire by itself', async () => {
      await store.complete(key, await claimed(), new Secret('v'), 1);
      const giveUpAt = performance.now() + 5000;
      while ((await store.find(key)) && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 2));
      await claimed();
    });

    it('drops a value that is refused, and no other', async () => {
      await store.complete(key, await claimed(), new Secret('new'), minute);
      await store.drop(key, new Secret('old'));
      expect(reveal(await store.find(key))).toBe('new');
      await harness.other.drop(key, new Secret('new'));
      expect(await store.find(key)).toBeUndefined();
      await store.drop(key, new Secret('new'));
      await claimed();
    });

    it('does not drop a run that is under way', async () => {
      const lease = await claimed();
      await store.drop(key, new Secret('v'));
      expect(await store.find(key)).toEqual({ state: 'running', lease });
    });

    it('keeps many works that are claimed, and land, at once apart', async () => {
      const keys = Array.from({ length: 100 }, (_, i): SharedTaskKey => ({
        purpose: i % 2 ? 'auth-code' : 'client-token',
        key: `code-${i}`,
      }));
      const found = await Promise.all(keys.map((one) => store.claim(one, minute)));
      expect(found.map(({ state }) => state)).toEqual(keys.map(() => 'claimed'));
      const leases = found.map((one) => ('lease' in one ? one.lease : ''));
      // Of every fourth the lease is another's.
      const landed = await Promise.all(
        keys.map((one, i) => store.complete(one, i % 4 ? leases[i]! : leases[(i + 1) % keys.length]!, new Secret(one.key), minute)),
      );
      expect(landed).toEqual(keys.map((_, i) => i % 4 > 0));
      const after = await Promise.all(keys.map((one) => harness.other.claim(one, minute)));
      expect(after.map((one, i) => reveal(one) ?? ('lease' in one && one.lease === leases[i]))).toEqual(
        keys.map(({ key: name }, i) => (i % 4 ? name : true)),
      );
    });

    it('separates tasks of one key by their purpose', async () => {
      await claimed();
      expect(await store.claim({ ...key, purpose: 'client-token' }, minute)).toMatchObject({ state: 'claimed' });
      expect(await store.claim({ ...key, key: 'code-2' }, minute)).toMatchObject({ state: 'claimed' });
    });

    it('removes what expired and nothing else', async () => {
      await store.complete(key, await claimed(), new Secret('v'), minute);
      expect(await store.prune()).toBe(0);
      await harness.expireAll();
      await store.claim({ ...key, key: 'other' }, minute);
      expect(await store.prune()).toBe(1);
      expect(await store.prune()).toBe(0);
      expect(await store.find({ ...key, key: 'other' })).toMatchObject({ state: 'running' });
    });

    it.each(notIds)('never takes %s for a key or a lease', async (_what, id) => {
      const missing = id as string;
      const wrong = { ...key, key: missing };
      await expect(store.claim(wrong, minute)).rejects.toThrow();
      await expect(store.find(wrong)).rejects.toThrow();
      await expect(store.drop(wrong, new Secret('v'))).rejects.toThrow();
      const lease = await claimed();
      await expect(store.complete(key, missing, new Secret('v'), minute)).rejects.toThrow();
      await expect(store.fail(key, missing, failure)).rejects.toThrow();
      expect(await store.find(key)).toEqual({ state: 'running', lease });
    });
  });
}

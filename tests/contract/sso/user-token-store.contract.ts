import { Secret } from '../../../src/domain/shared/secret';
import type { SharedTaskFailure } from '../../../src/domain/shared/tasks/single-flight';
import type { RefreshState, StoredTokens, UserRepository, UserTokenStore } from '../../../src/domain/sso/ports';
import type { UserTokens } from '../../../src/domain/sso/tokens';
import { notIds } from '../each-database';

export interface TokenStoreHarness {
  readonly tokens: UserTokenStore;
  /** A store of another instance on the same storage. */
  readonly other: UserTokenStore;
  /** Through which sign-ons come. */
  readonly users: UserRepository;
  /** Lets every lease run out. */
  expireLeases(): Promise<void>;
}

const key = { clientId: 'host_1', reference: 'üser-1' };
const minute = 60_000;
const failure: SharedTaskFailure = { kind: 'partner-refused', code: 'PROCESS_FAIL', message: 'no “more”', details: '{"side":"hostapp"}' };
const pair = (name: string): UserTokens => ({
  accessToken: new Secret(`access-${name}`),
  refreshToken: new Secret(`refresh-${name}`),
});

/** What a refresh may rely on, whoever keeps the tokens. */
export function userTokenStoreContract(name: string, open: () => Promise<TokenStoreHarness>): void {
  describe(`UserTokenStore: ${name}`, () => {
    let harness: TokenStoreHarness;
    let store: UserTokenStore;
    let first: StoredTokens;
    const signOn = (tokens: UserTokens) =>
      harness.users.store({ clientId: key.clientId, user: { reference: key.reference }, tokens, at: 1 });
    beforeEach(async () => {
      harness = await open();
      store = harness.tokens;
      await signOn(pair('1'));
      first = (await store.find(key))!;
    });
    const claimed = async (on: UserTokenStore = store, refused = first) => {
      const found = await on.claimRefresh(key, refused, minute);
      if (found?.state !== 'claimed') throw new Error(`not claimed, but ${String(found?.state)}`);
      return { lease: found.lease, version: found.tokens.version };
    };
    const shown = (tokens: UserTokens | undefined) => [tokens?.accessToken.reveal(), tokens?.refreshToken?.reveal()];
    const states = (found: (RefreshState | undefined)[]) => found.map((one) => one?.state);
    const twenty = (refused: StoredTokens) =>
      Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? store : harness.other).claimRefresh(key, refused, minute)));

    it('finds the tokens of a sign-on by host app and reference together', async () => {
      expect(shown(first)).toEqual(['access-1', 'refresh-1']);
      expect(first.failedRun).toBeUndefined();
      expect(await store.find({ ...key, clientId: 'host_2' })).toBeUndefined();
      expect(await store.claimRefresh({ ...key, reference: 'user-2' }, first, minute)).toBeUndefined();
    });

    it('finds the tokens of many users at once', async () => {
      const references = Array.from({ length: 100 }, (_, i) => `user-${i}`);
      const { clientId } = key;
      const withTokens = references.filter((_, i) => i % 3 > 0);
      await Promise.all(
        withTokens.map((reference) => harness.users.store({ clientId, user: { reference }, tokens: pair(reference), at: 1 })),
      );
      const found = await Promise.all([...references, ...references].map((reference) => store.find({ clientId, reference })));
      expect(found.slice(0, 100).map((tokens) => tokens?.accessToken.reveal())).toEqual(
        references.map((reference, i) => (i % 3 ? `access-${reference}` : undefined)),
      );
      expect(found.slice(100).map(shown)).toEqual(found.slice(0, 100).map(shown));
    });

    it('is claimed by exactly one of twenty at once, over two instances', async () => {
      const found = states(await twenty(first));
      expect(found.filter((state) => state === 'claimed')).toHaveLength(1);
      expect(found.filter((state) => state === 'running')).toHaveLength(19);
    });

    it('hands the claimant the tokens that are to be refreshed', async () => {
      const found = await store.claimRefresh(key, first, minute);
      expect(found?.state === 'claimed' && shown(found.tokens)).toEqual(['access-1', 'refresh-1']);
    });

    it('gives everybody else the new tokens, once they are stored', async () => {
      const run = await claimed();
      expect(await harness.other.claimRefresh(key, first, minute)).toEqual({ state: 'running' });
      expect(await store.renew(key, run, pair('2'))).toBe(true);
      const found = await harness.other.claimRefresh(key, first, minute);
      expect(found?.state === 'renewed' && shown(found.tokens)).toEqual(['access-2', 'refresh-2']);
      const stored = (await store.find(key))!;
      expect(shown(stored)).toEqual(['access-2', 'refresh-2']);
      expect(stored.version).not.toBe(first.version);
      await claimed(harness.other, stored);
    });

    it('keeps tokens without a refresh token', async () => {
      await store.renew(key, await claimed(), { accessToken: new Secret('access-2') });
      expect(shown(await store.find(key))).toEqual(['access-2', undefined]);
    });

    it('shows a failure to callers that began before it, and lets later ones try again', async () => {
      const run = await claimed();
      await store.failRefresh(key, run.lease, failure);
      expect(await harness.other.claimRefresh(key, first, minute)).toEqual({ state: 'failed', failure });
      expect(await store.claimRefresh(key, first, minute)).toEqual({ state: 'failed', failure });
      const later = (await store.find(key))!;
      expect(shown(later)).toEqual(['access-1', 'refresh-1']);
      const found = states(await twenty(later));
      expect(found.filter((state) => state === 'claimed')).toHaveLength(1);
      expect(await store.claimRefresh(key, first, minute)).toEqual({ state: 'running' });
    });

    it('shows a second failure to callers that began before the first ended', async () => {
      await store.failRefresh(key, (await claimed()).lease, failure);
      const later = (await store.find(key))!;
      await store.failRefresh(key, (await claimed(store, later)).lease, { ...failure, code: 'SECOND' });
      for (const refused of [first, later]) {
        expect(await store.claimRefresh(key, refused, minute)).toMatchObject({ state: 'failed', failure: { code: 'SECOND' } });
      }
    });

    it('is taken over by exactly one caller when the lease expires', async () => {
      const late = await claimed();
      await harness.expireLeases();
      const found = await twenty(first);
      expect(states(found).filter((state) => state === 'claimed')).toHaveLength(1);
      const lease = found.flatMap((one) => (one?.state === 'claimed' ? [one.lease] : []))[0]!;
      expect(await store.renew(key, late, pair('late'))).toBe(false);
      await store.failRefresh(key, late.lease, failure);
      expect(await store.claimRefresh(key, first, minute)).toEqual({ state: 'running' });
      expect(await harness.other.renew(key, { lease, version: first.version }, pair('2'))).toBe(true);
      expect(shown(await store.find(key))).toEqual(['access-2', 'refresh-2']);
    });

    it('stores late where nobody took over', async () => {
      const run = await claimed();
      await harness.expireLeases();
      expect(await store.renew(key, run, pair('2'))).toBe(true);
      expect(shown(await store.find(key))).toEqual(['access-2', 'refresh-2']);
    });

    it('never lets a refresh overwrite a sign-on that came while it ran', async () => {
      const run = await claimed();
      await signOn(pair('new'));
      expect(await store.renew(key, run, pair('2'))).toBe(false);
      await store.failRefresh(key, run.lease, failure);
      const stored = (await store.find(key))!;
      expect(shown(stored)).toEqual(['access-new', 'refresh-new']);
      expect(stored.failedRun).toBeUndefined();
      expect(await store.claimRefresh(key, first, minute)).toMatchObject({ state: 'renewed' });
      await claimed(harness.other, stored);
    });

    it('forgets a failure with the next sign-on', async () => {
      await store.failRefresh(key, (await claimed()).lease, failure);
      await signOn(pair('new'));
      await claimed(store, await store.find(key));
    });

    it('ends a run once, as renewed or as failed', async () => {
      const run = await claimed();
      await store.failRefresh(key, run.lease, failure);
      expect(await store.renew(key, run, pair('2'))).toBe(false);
      const again = await claimed(store, await store.find(key));
      expect(await store.renew(key, again, pair('3'))).toBe(true);
      await store.failRefresh(key, again.lease, failure);
      expect(await store.renew(key, again, pair('4'))).toBe(false);
      expect(shown(await store.find(key))).toEqual(['access-3', 'refresh-3']);
    });

    it.each(notIds)('never takes %s for an id or a lease', async (_what, id) => {
      const missing = id as string;
      const run = await claimed();
      for (const wrong of [
        { ...key, clientId: missing },
        { ...key, reference: missing },
      ]) {
        await expect(store.find(wrong)).rejects.toThrow();
        await expect(store.claimRefresh(wrong, first, minute)).rejects.toThrow();
        await expect(store.renew(wrong, run, pair('2'))).rejects.toThrow();
        await expect(store.failRefresh(wrong, run.lease, failure)).rejects.toThrow();
      }
      await expect(store.renew(key, { ...run, lease: missing }, pair('2'))).rejects.toThrow();
      await expect(store.renew(key, { ...run, version: missing }, pair('2'))).rejects.toThrow();
      await expect(store.failRefresh(key, missing, failure)).rejects.toThrow();
      expect(shown(await store.find(key))).toEqual(['access-1', 'refresh-1']);
    });
  });
}

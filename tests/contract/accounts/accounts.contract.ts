import { accountRules, type AccountRole } from '../../../src/domain/accounts/account';
import { AccountExists } from '../../../src/domain/accounts/account-errors';
import { delayRules } from '../../../src/domain/accounts/delay';
import type { AccountRepository, KeptSession, NewAccount, SessionRepository, SignInDelayStore } from '../../../src/domain/accounts/ports';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import { UnknownPartner } from '../../../src/domain/partners/registry-errors';

export interface AccountsHarness {
  readonly accounts: AccountRepository;
  readonly sessions: SessionRepository;
  /** Two instances that count together, or one twice. */
  readonly delays: readonly [SignInDelayStore, SignInDelayStore];
  /** Time goes by for the delays. */
  passDelays(ms: number): Promise<void>;
  /** Makes the partners `host_1` and `app_1`. */
  readonly addPartners: () => Promise<void>;
  readonly removeHostApp?: () => Promise<void>;
  readonly audit: () => Promise<readonly Pick<AuditEntry, 'action' | 'subject'>[]>;
}

const t0 = Date.UTC(2026, 0, 2, 3, 4, 5);

const entry = (action: string, at = t0): AuditEntry => ({ actor: 'operator', action, subject: 'account:acc_1', requestId: 'r1', at });

const anAccount = (id = 'acc_1', role: AccountRole = { role: 'operator' }): NewAccount => ({
  ...{ id, email: `${id}@example.com`, name: `Name of ${id}`, createdAt: t0 },
  ...role,
});

const aSession = (id: string, accountId = 'acc_1', createdAt = t0): KeptSession => ({
  ...{ id, digest: `digest-of-${id}`, accountId, createdAt, expiresAt: createdAt + accountRules.sessionMs },
  ...{ address: '127.0.0.1', agent: 'Browser' },
});

const aLink = (digest: string, purpose: 'invite' | 'reset' | 'sign-in' = 'reset') => ({
  ...{ digest, accountId: 'acc_1', purpose, expiresAt: t0 + accountRules.linkMs },
});

/** What the repositories of accounts and sessions must do, whatever they keep them in. */
export function accountsContract(name: string, open: () => Promise<AccountsHarness>): void {
  describe(`AccountRepository: ${name}`, () => {
    it('keeps an account of each role', async () => {
      const { accounts, addPartners } = await open();
      await addPartners();
      for (const role of [{ role: 'operator' }, { role: 'host-app', clientId: 'host_1' }, { role: 'miniapp', appId: 'app_1' }] as const) {
        const id = `acc_${role.role}`;
        const made = await accounts.create(anAccount(id, role), entry('account.created'));
        expect(made).toEqual({ ...anAccount(id, role), hasPassword: false, isDisabled: false });
        expect(await accounts.find(id)).toEqual({ ...made, signedInAt: undefined });
      }
      expect((await accounts.list({ limit: 2 })).map(({ id }) => id)).toEqual(['acc_host-app', 'acc_miniapp']);
      expect((await accounts.list({ limit: 2, after: 'acc_miniapp' })).map(({ id }) => id)).toEqual(['acc_operator']);
    });

    it('keeps an email once, and no account of a partner that is not there', async () => {
      const { accounts, audit } = await open();
      await accounts.create(anAccount(), entry('account.created'));
      await expect(accounts.create({ ...anAccount('acc_2'), email: 'acc_1@example.com' }, entry('account.created'))).rejects.toThrow(
        AccountExists,
      );
      await expect(accounts.create(anAccount('acc_3', { role: 'host-app', clientId: 'host_9' }), entry('x'))).rejects.toThrow(
        UnknownPartner,
      );
      await expect(accounts.create(anAccount('acc_4', { role: 'miniapp', appId: 'app_9' }), entry('x'))).rejects.toThrow(UnknownPartner);
      expect((await audit()).map(({ action }) => action)).toEqual(['account.created']);
    });

    it('changes nothing where the change says so', async () => {
      const { accounts, audit } = await open();
      const made = await accounts.create(anAccount(), entry('account.created'));
      expect(await accounts.update('acc_1', () => undefined)).toMatchObject(made);
      expect(await accounts.update('acc_2', () => undefined)).toBeUndefined();
      expect(await audit()).toHaveLength(1);
    });

    it('ends sessions and links when the account is disabled, removed or gets a new password', async () => {
      const endings = [
        async ({ accounts }: AccountsHarness) => {
          await accounts.update('acc_1', () => ({ change: { isDisabled: true }, audit: entry('account.changed') }));
          expect(await accounts.findByEmail('acc_1@example.com')).toMatchObject({ account: { isDisabled: true } });
        },
        async ({ accounts }: AccountsHarness) => {
          expect(await accounts.setPassword('acc_1', { password: 'stored' }, entry('account.password-set'))).toBe(true);
          expect(await accounts.findByEmail('acc_1@example.com')).toMatchObject({ account: { hasPassword: true }, password: 'stored' });
        },
        async ({ accounts }: AccountsHarness) => {
          expect(await accounts.remove('acc_1', entry('account.removed'))).toBe(true);
          expect(await accounts.remove('acc_1', entry('account.removed'))).toBe(false);
        },
      ];
      for (const end of endings) {
        const harness = await open();
        const { accounts, sessions } = harness;
        await accounts.create(anAccount(), entry('account.created'));
        await accounts.addLink(aLink('l1'), entry('account.link-made'));
        expect(await sessions.begin(aSession('s1'), {}, entry('session.started'))).toBe(true);
        await end(harness);
        expect(await sessions.find('digest-of-s1', t0 + 1)).toBeUndefined();
        expect(await accounts.findLink('l1', t0 + 1)).toBeUndefined();
      }
    });

    it('sets a password once by a link that is current and of the same account', async () => {
      const { accounts } = await open();
      await accounts.create(anAccount(), entry('account.created'));
      await accounts.create(anAccount('acc_2'), entry('account.created'));
      await accounts.addLink(aLink('l0'), entry('account.link-made'));
      await accounts.addLink(aLink('l1'), entry('account.link-made'));
      const set = (usedLink: string, id = 'acc_1', at = t0) =>
        accounts.setPassword(id, { password: 'p', usedLink }, entry('account.password-set', at));
      expect(await set('l0')).toBe(false);
      expect(await set('l1', 'acc_2')).toBe(false);
      expect(await set('l1', 'acc_1', t0 + accountRules.linkMs)).toBe(false);
      expect(await accounts.findLink('l1', t0 + accountRules.linkMs)).toBeUndefined();
      expect(await accounts.findLink('l1', t0)).toMatchObject({ purpose: 'reset', account: { id: 'acc_1' } });
      const both = await Promise.all([set('l1'), set('l1')]);
      expect(both.filter(Boolean)).toHaveLength(1);
      expect(await accounts.findLink('l1', t0)).toBeUndefined();
    });
  });

  describe(`SessionRepository: ${name}`, () => {
    it('finds a session while it is used, and no longer than it may last', async () => {
      const { accounts, sessions } = await open();
      await accounts.create(anAccount(), entry('account.created'));
      await sessions.begin(aSession('s1'), {}, entry('session.started'));
      const found = await sessions.find('digest-of-s1', t0 + 5);
      expect(found?.account).toMatchObject({ id: 'acc_1', signedInAt: t0 });
      expect(found?.session).toEqual({
        ...{ id: 's1', accountId: 'acc_1', createdAt: t0, seenAt: t0, expiresAt: t0 + accountRules.sessionMs },
        ...{ address: '127.0.0.1', agent: 'Browser' },
      });
      expect(await sessions.find('digest-of-s2', t0)).toBeUndefined();
      expect(await sessions.find('digest-of-s1', t0 + accountRules.idleMs)).toBeUndefined();
      let now = t0;
      while (now + accountRules.idleMs / 2 < t0 + accountRules.sessionMs) {
        now += accountRules.idleMs / 2;
        await sessions.note('digest-of-s1', now);
        expect(await sessions.find('digest-of-s1', now)).toBeDefined();
      }
      expect(await sessions.find('digest-of-s1', t0 + accountRules.sessionMs)).toBeUndefined();
    });

    it('begins none for an account that is gone or disabled, or by a used link', async () => {
      const { accounts, sessions, audit } = await open();
      expect(await sessions.begin(aSession('s0'), {}, entry('session.started'))).toBe(false);
      await accounts.create(anAccount(), entry('account.created'));
      await accounts.addLink(aLink('l1', 'sign-in'), entry('account.link-made'));
      const begin = (id: string) => sessions.begin(aSession(id), { usedLink: 'l1' }, entry('session.started'));
      const both = await Promise.all([begin('s1'), begin('s2')]);
      expect(both.filter(Boolean)).toHaveLength(1);
      expect(await sessions.list('acc_1', t0)).toHaveLength(1);
      await accounts.update('acc_1', () => ({ change: { isDisabled: true }, audit: entry('account.changed') }));
      expect(await sessions.begin(aSession('s3'), {}, entry('session.started'))).toBe(false);
      expect((await audit()).filter(({ action }) => action === 'session.started')).toHaveLength(1);
    });

    it('lists and ends the sessions of one account', async () => {
      const { accounts, sessions } = await open();
      for (const id of ['acc_1', 'acc_2']) await accounts.create(anAccount(id), entry('account.created'));
      await sessions.begin(aSession('s1'), {}, entry('session.started'));
      await sessions.begin(aSession('s2', 'acc_1', t0 + 10), {}, entry('session.started'));
      await sessions.begin(aSession('s3', 'acc_2'), {}, entry('session.started'));
      const ids = async (account: string) => (await sessions.list(account, t0 + 20)).map(({ id }) => id);
      expect(await ids('acc_1')).toEqual(['s2', 's1']);
      expect(await sessions.end('acc_1', 's3', entry('session.ended'))).toBe(false);
      expect(await sessions.end('acc_1', 's2', entry('session.ended'))).toBe(true);
      expect(await sessions.end('acc_1', 's2', entry('session.ended'))).toBe(false);
      expect([await ids('acc_1'), await ids('acc_2')]).toEqual([['s1'], ['s3']]);
    });

    it('returns which of many sessions are alive', async () => {
      const { accounts, sessions } = await open();
      for (const id of ['acc_1', 'acc_2']) await accounts.create(anAccount(id), entry('account.created'));
      for (const id of ['s1', 's2', 's3']) await sessions.begin(aSession(id), {}, entry('session.started'));
      await sessions.begin(aSession('s4', 'acc_2'), {}, entry('session.started'));
      const living = async (now: number) =>
        [
          ...(await sessions.living(
            ['s1', 's2', 's4', 's5'].map((id) => `digest-of-${id}`),
            now,
          )),
        ]
          .map((digest) => digest.slice(-2))
          .sort();
      expect(await living(t0)).toEqual(['s1', 's2', 's4']);
      await sessions.end('acc_1', 's2', entry('session.ended'));
      await accounts.update('acc_2', () => ({ change: { isDisabled: true }, audit: entry('account.changed') }));
      expect(await living(t0)).toEqual(['s1']);
      expect(await living(t0 + accountRules.idleMs)).toEqual([]);
      expect((await sessions.living([], t0)).size).toBe(0);
    });

    it('remembers as whom the operator looks', async () => {
      const { accounts, sessions } = await open();
      await accounts.create(anAccount(), entry('account.created'));
      await sessions.begin(aSession('s1'), {}, entry('session.started'));
      const seenAs = async () => (await sessions.find('digest-of-s1', t0))?.session.viewAs;
      for (const as of [
        { role: 'host-app', clientId: 'host_1' },
        { role: 'miniapp', appId: 'app_1' },
      ] as const) {
        await sessions.viewAs('digest-of-s1', as, entry('session.viewed-as'));
        expect(await seenAs()).toEqual(as);
      }
      await sessions.viewAs('digest-of-s1', undefined, entry('session.viewed-as'));
      expect(await seenAs()).toBeUndefined();
    });
  });

  describe(`SignInDelayStore: ${name}`, () => {
    it('allows four failed attempts, and then makes each wait longer', async () => {
      const { delays, passDelays } = await open();
      const [one] = delays;
      /** Whole seconds: the time of a database goes on meanwhile. */
      const waitOf = async (subject: string) => Math.ceil((await one.attempt(subject)) / 1000);
      const passesFreely = async () => {
        for (let i = 0; i < delayRules.free + 1; i++) expect(await one.attempt('a')).toBe(0);
      };
      await passesFreely();
      expect(await waitOf('a')).toBe(30);
      expect(await one.attempt('b')).toBe(0);
      const waits: number[] = [];
      for (let i = 0; i < 7; i++) {
        const wait = await waitOf('a');
        waits.push(wait);
        await passDelays((wait - 2) * 1000);
        expect(await one.attempt('a')).toBeGreaterThan(0);
        await passDelays(2000);
        expect(await one.attempt('a')).toBe(0);
      }
      expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
      await one.clear('a');
      await passesFreely();
      expect(await waitOf('a')).toBe(30);
      await passDelays(delayRules.forgottenMs);
      await passesFreely();
    });

    it('counts concurrent attempts', async () => {
      const { delays } = await open();
      const waits = await Promise.all(Array.from({ length: 40 }, (_, i) => delays[i % 2 ? 0 : 1].attempt('a')));
      expect(waits.filter((wait) => wait === 0)).toHaveLength(delayRules.free + 1);
    });
  });
}

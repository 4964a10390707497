import { text } from 'node:stream/consumers';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import { Secret } from '../../../src/domain/shared/secret';
import type { ConsentRepository, UserRepository } from '../../../src/domain/sso/ports';
import type { UserRecordRepository, UserFilter } from '../../../src/domain/sso/user-record-repository';

export interface UserRecordRepositoryHarness {
  readonly repository: UserRecordRepository;
  readonly users: UserRepository;
  readonly consents: ConsentRepository;
  audited(): Promise<readonly Pick<AuditEntry, 'action' | 'subject'>[]>;
}

const at = Date.UTC(2026, 5, 1);
const page = { limit: 10 };

/** What the operator sees of users. The integrations int_1 (host_1, app_1), int_2 (host_1, app_2), int_3 (host_2, app_1) are there from the start. */
export function userRecordRepositoryContract(name: string, open: () => Promise<UserRecordRepositoryHarness>): void {
  describe(`UserRecordRepository: ${name}`, () => {
    let harness: UserRecordRepositoryHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const signOn = (clientId: string, reference: string, more: { at?: number; refreshToken?: Secret } = {}) => {
      const tokens = { accessToken: new Secret('access-canary'), ...(more.refreshToken && { refreshToken: more.refreshToken }) };
      return harness.users.store({ clientId, user: { reference, email: 'mia@example.com' }, tokens, at: more.at ?? at });
    };
    const grant = (integrationId: string, reference: string) =>
      harness.consents.record({
        clientId: 'host_1',
        integrationId,
        reference,
        granted: true,
        fields: ['email'],
        call: 'save_consent',
        requestId: 'r',
        at,
      });
    const list = (filter: UserFilter = {}, more: { limit: number; after?: string } = page) => harness.repository.list(filter, more);
    const audit = (alias: string): AuditEntry => ({
      actor: 'operator',
      action: 'user.noted',
      subject: `user:${alias}`,
      requestId: 'r',
      at,
    });

    it('shows sign-on times, stored tokens and consent, but nothing that identifies the user', async () => {
      await signOn('host_1', 'user-mia-0001', { refreshToken: new Secret('refresh-canary') });
      await signOn('host_1', 'user-mia-0001', { at: at + 5 });
      await grant('int_2', 'user-mia-0001');
      const [user, ...others] = await list();
      expect(others).toEqual([]);
      expect(user).toMatchObject({
        clientId: 'host_1',
        firstSignOnAt: at,
        lastSignOnAt: at + 5,
        tokens: { at: at + 5, isRefreshable: false },
      });
      expect(user?.consents).toEqual([{ appId: 'app_2', granted: true, fields: ['email'], textVersion: undefined, at }]);
      expect(user?.id).toMatch(/^[0-9a-f]{64}$/);
      for (const word of ['user-mia-0001', 'mia@', 'canary']) expect(JSON.stringify(user)).not.toContain(word);
    });

    it('lists each once, in pages, in the same order', async () => {
      for (const reference of ['a-1', 'a-2', 'a-3']) await signOn('host_1', reference);
      await signOn('host_2', 'a-1');
      const all = (await list()).map(({ id }) => id);
      expect(new Set(all).size).toBe(4);
      const seen: string[] = [];
      for (let after: string | undefined; ;) {
        const rows = await list({}, { limit: 3, ...(after !== undefined && { after }) });
        const last = rows.at(-1);
        if (!last) break;
        seen.push(...rows.map(({ id }) => id));
        after = `${last.clientId}/${last.id}`;
      }
      expect(seen).toEqual(all);
      expect((await list({ clientId: 'host_2' })).map(({ clientId }) => clientId)).toEqual(['host_2']);
    });

    it('finds a user by the reference, at one host app or at all', async () => {
      await signOn('host_1', 'a-1');
      await signOn('host_2', 'a-1');
      await signOn('host_1', 'a-2');
      expect((await list({ reference: 'a-1' })).map(({ clientId }) => clientId)).toEqual(['host_1', 'host_2']);
      const [user] = await list({ clientId: 'host_1', reference: 'a-2' });
      expect(await harness.repository.keyOf('host_1', user?.id ?? '')).toEqual({ clientId: 'host_1', reference: 'a-2' });
      expect(await harness.repository.keyOf('host_2', user?.id ?? '')).toBeUndefined();
      expect(await list({ reference: 'a-3' })).toEqual([]);
    });

    it('lists who has given or withdrawn consent to a miniapp, signed on or not', async () => {
      await signOn('host_1', 'a-1');
      await signOn('host_1', 'a-2');
      await grant('int_1', 'a-1');
      await grant('int_1', 'a-3');
      await grant('int_2', 'a-2');
      const rows = await list({ clientId: 'host_1', appId: 'app_1' });
      expect(rows.map(({ firstSignOnAt }) => firstSignOnAt).sort()).toEqual([at, undefined]);
      expect(rows.map(({ consents }) => consents.map(({ appId }) => appId))).toEqual([['app_1'], ['app_1']]);
      const [first] = await list({ clientId: 'host_1', appId: 'app_1' }, { limit: 1 });
      expect(await list({ clientId: 'host_1', appId: 'app_1' }, { limit: 1, after: `host_1/${first?.id ?? ''}` })).toEqual(rows.slice(1));
      expect(await list({ clientId: 'host_2', appId: 'app_2' })).toEqual([]);
    });

    it('exports the data of a user without secrets, with an audit row', async () => {
      const user = { clientId: 'host_1', reference: 'a-1' };
      expect(await harness.repository.export(user, audit)).toBeUndefined();
      await signOn('host_1', 'a-1');
      await grant('int_1', 'a-1');
      const pieces = await harness.repository.export(user, audit);
      expect(pieces).toBeDefined();
      const exported = await text(pieces!);
      expect(JSON.parse(exported)).toMatchObject({
        ...{ reference: 'a-1', first_sign_on_at: new Date(at).toISOString(), payments: [], is_cut: false },
        consent_entries: [{ app_id: 'app_1', granted: true }],
      });
      expect(exported).not.toContain('canary');
      const [row, ...others] = await harness.audited();
      expect([row?.action, others]).toEqual(['user.noted', []]);
      expect(row?.subject).toMatch(/^user:[0-9a-f]{64}$/);
    });

    it('forgets the tokens of one user, once', async () => {
      await signOn('host_1', 'a-1');
      await signOn('host_2', 'a-1');
      const user = { clientId: 'host_1', reference: 'a-1' };
      expect(await harness.repository.revokeTokens(user, audit)).toBe(true);
      expect(await harness.repository.revokeTokens(user, audit)).toBe(false);
      expect((await list({ reference: 'a-1' })).map(({ tokens }) => tokens !== undefined)).toEqual([false, true]);
      expect(await harness.audited()).toHaveLength(1);
    });
  });
}

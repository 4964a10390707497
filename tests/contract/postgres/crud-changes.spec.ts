import { crudStores, filledAt as at, filledPair as pair, fillStores, type CrudStores } from '../../support/postgres/crud-stores';
import { onEachDatabase } from '../each-database';
import { someEvidence } from '../evidence/evidence-link-repository.contract';
import { auditOf } from '../partners/partner-repository.contract';

/** Postgres takes no NUL in a text, so this entry cannot be written. */
const refused = auditOf('refused\0');
const account = { id: 'acc_2', email: 'b@b.example', name: 'B', createdAt: at, role: 'operator' } as const;
const session = { id: 't', digest: 't', accountId: 'acc_1', createdAt: at, expiresAt: at + 1000, address: '', agent: '' };
const link = { digest: 'm', accountId: 'acc_1', purpose: 'reset', expiresAt: at + 1000 } as const;

const gone = { secret_key: { previous: undefined } };

const changes: readonly (readonly [string, (stores: CrudStores) => Promise<unknown>])[] = [
  ['a new account', ({ accounts }) => accounts.create(account, refused)],
  ['a disabled account', ({ accounts }) => accounts.update('acc_1', () => ({ change: { isDisabled: true }, audit: refused }))],
  ['a removed account', ({ accounts }) => accounts.remove('acc_1', refused)],
  ['a link instead of another', ({ accounts }) => accounts.addLink(link, refused)],
  ['a password', ({ accounts }) => accounts.setPassword('acc_1', { password: 'p' }, refused)],
  ['a new session', ({ sessions }) => sessions.begin(session, {}, refused)],
  ['an ended session', ({ sessions }) => sessions.end('acc_1', 's', refused)],
  ['the partner as which an operator looks', ({ sessions }) => sessions.viewAs('s', { role: 'miniapp', appId: 'app_1' }, refused)],
  ['a changed partner', ({ hostApps }) => hostApps.update('host_1', ({ settings }) => ({ settings, credentials: gone, audit: refused }))],
  ['a removed partner', ({ miniapps }) => miniapps.remove('app_1', refused)],
  [
    'a changed integration',
    ({ integrations }) => integrations.put(pair, 'int_2', (present) => ({ settings: present!.settings, audit: refused })),
  ],
  ['a removed integration', ({ integrations }) => integrations.remove(pair, () => refused)],
  ['a new link to evidence', ({ evidence }) => evidence.keep(someEvidence(3), refused)],
  ['a revoked link to evidence', ({ evidence }) => evidence.revoke('ev_1', at, refused)],
  ['an opened link to evidence', ({ evidence }) => evidence.open('token-1', 1_700_000_000_500, () => refused)],
  ['a muted problem', ({ mutes }) => mutes.mute({ errorCode: 'F', actor: 'operator', reason: 'r', at }, refused)],
  ['a problem that is muted no more', ({ mutes }) => mutes.unmute({ errorCode: 'E' }, refused)],
  ['a cancelled run', ({ runs }) => runs.cancel('r_1', refused)],
];

const tables = [
  ...['accounts', 'account_links', 'account_sessions', 'host_apps', 'miniapps', 'partner_credentials', 'integrations'],
  ...['evidence_links', 'muted_problems', 'long_runs', 'audit_log'],
];

onEachDatabase((name, database) => {
  const stored = (): Promise<unknown> =>
    database().db.query(
      tables.map((table) => `select '${table}' as origin, t::text as row from ${table} t`).join(' union all ') + ' order by 1, 2',
    );

  describe(`a change whose audit row is refused: ${name}`, () => {
    beforeAll(async () => {
      await database().wipe();
      await fillStores(crudStores(database().db));
    });

    it.each(changes)('%s: nothing is written', async (_what, change) => {
      const before = await stored();
      await expect(change(crudStores(database().db))).rejects.toThrow();
      expect(await stored()).toEqual(before);
    });
  });
});

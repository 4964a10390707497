import { PostgresAccountRepository } from '../../src/adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresSessionRepository } from '../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { PostgresEvidenceLinkRepository } from '../../src/adapters/out/postgres/evidence/postgres-evidence-link-repository';
import { PostgresAgreementRepository } from '../../src/adapters/out/postgres/integrations/postgres-agreement-repository';
import { hostAppTable, miniappTable } from '../../src/adapters/out/postgres/partners/partner-table';
import { PostgresPartnerRepository } from '../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresMutedProblemRepository } from '../../src/adapters/out/postgres/problems/postgres-muted-problem-repository';
import { PostgresRunRepository } from '../../src/adapters/out/postgres/runs/postgres-run-repository';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../src/domain/partners/host-app';
import { defaultIntegrationSettings } from '../../src/domain/partners/integration';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../src/domain/partners/miniapp';
import { sentStatements } from '../support/sent-statements';
import { testBox } from '../support/test-box';
import { onEachDatabase } from './each-database';
import { someEvidence } from './evidence-links.contract';
import { auditOf, credential } from './partner-repository.contract';

const at = Date.UTC(2026, 0, 2);
const pair = { clientId: 'host_1', appId: 'app_1' };

onEachDatabase((name, database) => {
  const stores = () => {
    const { db } = database();
    const box = testBox();
    return {
      accounts: new PostgresAccountRepository(db),
      sessions: new PostgresSessionRepository(db),
      hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable }),
      miniapps: new PostgresPartnerRepository<Miniapp, MiniappSettings>({ db, box, table: miniappTable }),
      agreements: new PostgresAgreementRepository({ db }),
      evidence: new PostgresEvidenceLinkRepository({ db, box }),
      mutes: new PostgresMutedProblemRepository(db),
      runs: new PostgresRunRepository({ db, kind: 'test' }),
    };
  };
  type Stores = ReturnType<typeof stores>;

  describe(`what CRUD stores send: ${name}`, () => {
    beforeAll(async () => {
      await database().wipe();
      const { accounts, sessions, hostApps, miniapps, agreements, evidence, mutes, runs } = stores();
      const credentials = { secret_key: { current: credential('one'), previous: credential('two') } };
      await hostApps.create({ id: 'host_1', settings: { ...defaultHostAppSettings, name: 'H' }, credentials }, auditOf('x'));
      await miniapps.create({ id: 'app_1', settings: { ...defaultMiniappSettings, name: 'M' }, credentials: {} }, auditOf('x'));
      await agreements.put(pair, 'int_1', () => ({ settings: defaultIntegrationSettings, audit: auditOf('x') }));
      await accounts.create({ id: 'acc_1', email: 'a@b.example', name: 'A', createdAt: at, role: 'operator' }, auditOf('x'));
      await accounts.addLink({ digest: 'l', accountId: 'acc_1', purpose: 'reset', expiresAt: at + 1000 }, auditOf('x'));
      const session = { id: 's', digest: 's', accountId: 'acc_1', createdAt: at, expiresAt: at + 1000, address: '', agent: '' };
      await sessions.begin(session, {}, auditOf('x'));
      for (const number of [1, 2]) await evidence.keep(someEvidence(number), auditOf('x'));
      await mutes.mute({ errorCode: 'E', actor: 'operator', reason: 'r', at }, auditOf('x'));
      await runs.start({ id: 'r_1', subject: 's_1', request: {}, progress: {} }, auditOf('x'));
    });

    it.each<[string, (stores: Stores) => Promise<unknown>]>([
      ['a session that is used', ({ sessions }) => sessions.find('s', at)],
      ['the use of a session', ({ sessions }) => sessions.note('s', at + 1)],
      ['sessions that go on', ({ sessions }) => sessions.living(['s', 't'], at)],
      ['the sessions of an account', ({ sessions }) => sessions.list('acc_1', at)],
      ['an account', ({ accounts }) => accounts.find('acc_1')],
      ['an account by its email', ({ accounts }) => accounts.findByEmail('a@b.example')],
      ['accounts', ({ accounts }) => accounts.list({ limit: 50 })],
      ['a link', ({ accounts }) => accounts.findLink('l', at)],
      ['a host app', ({ hostApps }) => hostApps.find('host_1')],
      ['host apps', ({ hostApps }) => hostApps.list({ limit: 50 })],
      ['an integration', ({ agreements }) => agreements.find(pair)],
      ['integrations', ({ agreements }) => agreements.list({ limit: 50 }, { clientId: 'host_1' })],
      ['a link to evidence', ({ evidence }) => evidence.find('ev_1')],
      ['links to evidence', ({ evidence }) => evidence.list({ appId: 'm1' }, { limit: 50, after: 'ev_2' })],
      ['muted problems', ({ mutes }) => mutes.list()],
      ['a run', ({ runs }) => runs.find('r_1')],
      ['the progress of a run', ({ runs }) => runs.beat('r_1', {})],
      ['runs', ({ runs }) => runs.list({ limit: 50 }, 's_1')],
    ])('%s: one statement', async (_what, work) => {
      expect(await sentStatements(database().db, () => work(stores()))).toHaveLength(1);
    });
  });
});

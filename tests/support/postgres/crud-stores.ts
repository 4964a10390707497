import type { DataSource } from 'typeorm';
import { PostgresAccountRepository } from '../../../src/adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresSessionRepository } from '../../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { PostgresEvidenceLinkRepository } from '../../../src/adapters/out/postgres/evidence/postgres-evidence-link-repository';
import { PostgresIntegrationRepository } from '../../../src/adapters/out/postgres/integrations/postgres-integration-repository';
import { hostAppTable, miniappTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresMutedProblemRepository } from '../../../src/adapters/out/postgres/problems/postgres-muted-problem-repository';
import { PostgresRunRepository } from '../../../src/adapters/out/postgres/runs/postgres-run-repository';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultIntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../src/domain/partners/miniapp';
import { testBox } from './test-box';
import { someEvidence } from '../../contract/evidence/evidence-link-repository.contract';
import { auditOf, credential } from '../../contract/partners/partner-repository.contract';

/** When `fillStores` begins everything, in milliseconds since the epoch. */
export const filledAt = Date.UTC(2026, 0, 2);
export const filledPair = { clientId: 'host_1', appId: 'app_1' };

/** Every CRUD store over one database. */
export function crudStores(db: DataSource) {
  const box = testBox();
  return {
    accounts: new PostgresAccountRepository(db),
    sessions: new PostgresSessionRepository(db),
    hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable }),
    miniapps: new PostgresPartnerRepository<Miniapp, MiniappSettings>({ db, box, table: miniappTable }),
    integrations: new PostgresIntegrationRepository({ db }),
    evidence: new PostgresEvidenceLinkRepository({ db, box }),
    mutes: new PostgresMutedProblemRepository(db),
    runs: new PostgresRunRepository({ db, kind: 'test' }),
  };
}
export type CrudStores = ReturnType<typeof crudStores>;

/** One of each, or two. */
export async function fillStores(stores: CrudStores): Promise<void> {
  const { accounts, sessions, hostApps, miniapps, integrations, evidence, mutes, runs } = stores;
  const credentials = { secret_key: { current: credential('one'), previous: credential('two') } };
  await hostApps.create({ id: 'host_1', settings: { ...defaultHostAppSettings, name: 'H' }, credentials }, auditOf('x'));
  await miniapps.create({ id: 'app_1', settings: { ...defaultMiniappSettings, name: 'M' }, credentials: {} }, auditOf('x'));
  await integrations.put(filledPair, 'int_1', () => ({ settings: defaultIntegrationSettings, audit: auditOf('x') }));
  await accounts.create({ id: 'acc_1', email: 'a@b.example', name: 'A', createdAt: filledAt, role: 'operator' }, auditOf('x'));
  await accounts.addLink({ digest: 'l', accountId: 'acc_1', purpose: 'reset', expiresAt: filledAt + 1000 }, auditOf('x'));
  const session = { id: 's', digest: 's', accountId: 'acc_1', createdAt: filledAt, expiresAt: filledAt + 1000, address: '', agent: '' };
  await sessions.begin(session, {}, auditOf('x'));
  for (const number of [1, 2]) await evidence.keep(someEvidence(number), auditOf('x'));
  await mutes.mute({ errorCode: 'E', actor: 'operator', reason: 'r', at: filledAt }, auditOf('x'));
  await runs.start({ id: 'r_1', subject: 's_1', request: {}, progress: {} }, auditOf('x'));
}

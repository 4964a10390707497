import { MemoryEndingCredentialReader } from '../../../src/adapters/out/memory/credentials/memory-ending-credential-reader';
import { memoryHostApps, memoryMiniapps } from '../../../src/adapters/out/memory/partners/memory-partner-repository';
import {
  MemoryLiveIntegrationRepository,
  MemoryMutedProblemRepository,
  MemoryProbeRepository,
} from '../../../src/adapters/out/memory/problems/memory-problem-stores';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { PostgresEndingCredentialReader } from '../../../src/adapters/out/postgres/credentials/postgres-ending-credential-reader';
import { PostgresLiveIntegrationRepository } from '../../../src/adapters/out/postgres/readiness/postgres-live-integration-repository';
import { PostgresMutedProblemRepository } from '../../../src/adapters/out/postgres/problems/postgres-muted-problem-repository';
import { hostAppTable, miniappTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresProbeRepository } from '../../../src/adapters/out/postgres/readiness/postgres-probe-repository';
import type { HostApp, HostAppSettings } from '../../../src/domain/partners/host-app';
import type { Miniapp, MiniappSettings } from '../../../src/domain/partners/miniapp';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';
import { endingCredentialReaderContract } from '../credentials/ending-credential-reader.contract';
import { insightStoresContract } from './insight-stores.contract';

endingCredentialReaderContract('memory', async () => {
  const registry = new MemoryRegistry();
  return { ending: new MemoryEndingCredentialReader(registry), hostApps: memoryHostApps(registry), miniapps: memoryMiniapps(registry) };
});

insightStoresContract('memory', async () => {
  const registry = new MemoryRegistry();
  const records = {
    mutes: new MemoryMutedProblemRepository(registry),
    probes: new MemoryProbeRepository(),
    live: new MemoryLiveIntegrationRepository(registry),
  };
  return { ...records, audited: async () => registry.audit };
});

onEachDatabase((name, database) => {
  insightStoresContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const records = {
      mutes: new PostgresMutedProblemRepository(db),
      probes: new PostgresProbeRepository(db),
      live: new PostgresLiveIntegrationRepository(db),
    };
    return { ...records, audited: () => db.query('select action from audit_log order by id') };
  });

  endingCredentialReaderContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const deps = { db, box: testBox() };
    return {
      ending: new PostgresEndingCredentialReader(db),
      hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({ ...deps, table: hostAppTable }),
      miniapps: new PostgresPartnerRepository<Miniapp, MiniappSettings>({ ...deps, table: miniappTable }),
    };
  });
});

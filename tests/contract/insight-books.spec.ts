import { MemoryEndingCredentials } from '../../src/adapters/out/memory/memory-ending-credentials';
import { memoryHostApps, memoryMiniapps } from '../../src/adapters/out/memory/memory-partner-repository';
import { MemoryLiveBook, MemoryMuteBook, MemoryProbeBook } from '../../src/adapters/out/memory/memory-problem-books';
import { MemoryRegistry } from '../../src/adapters/out/memory/memory-registry';
import { PostgresEndingCredentials } from '../../src/adapters/out/postgres/postgres-ending-credentials';
import { PostgresLiveBook } from '../../src/adapters/out/postgres/postgres-live-book';
import { PostgresMutedProblemRepository } from '../../src/adapters/out/postgres/problems/postgres-muted-problem-repository';
import { hostAppTable, miniappTable } from '../../src/adapters/out/postgres/partners/partner-table';
import { PostgresPartnerRepository } from '../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresProbeBook } from '../../src/adapters/out/postgres/postgres-probe-book';
import type { HostApp, HostAppSettings } from '../../src/domain/partners/host-app';
import type { Miniapp, MiniappSettings } from '../../src/domain/partners/miniapp';
import { testBox } from '../support/test-box';
import { onEachDatabase } from './each-database';
import { endingCredentialsContract } from './ending-credentials.contract';
import { insightBooksContract } from './insight-books.contract';

endingCredentialsContract('memory', async () => {
  const registry = new MemoryRegistry();
  return { ending: new MemoryEndingCredentials(registry), hostApps: memoryHostApps(registry), miniapps: memoryMiniapps(registry) };
});

insightBooksContract('memory', async () => {
  const registry = new MemoryRegistry();
  const books = { mutes: new MemoryMuteBook(registry), probes: new MemoryProbeBook(), live: new MemoryLiveBook(registry) };
  return { ...books, audited: async () => registry.audit };
});

onEachDatabase((name, database) => {
  insightBooksContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const books = { mutes: new PostgresMutedProblemRepository(db), probes: new PostgresProbeBook(db), live: new PostgresLiveBook(db) };
    return { ...books, audited: () => db.query('select action from audit_log order by id') };
  });

  endingCredentialsContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const deps = { db, box: testBox() };
    return {
      ending: new PostgresEndingCredentials(db),
      hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({ ...deps, table: hostAppTable }),
      miniapps: new PostgresPartnerRepository<Miniapp, MiniappSettings>({ ...deps, table: miniappTable }),
    };
  });
});

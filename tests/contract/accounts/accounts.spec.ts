import { MemoryAccountRepository } from '../../../src/adapters/out/memory/accounts/memory-account-repository';
import { MemoryAccountRecords } from '../../../src/adapters/out/memory/accounts/memory-account-records';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { MemorySessionRepository } from '../../../src/adapters/out/memory/accounts/memory-session-repository';
import { MemorySignInDelayStore } from '../../../src/adapters/out/memory/accounts/memory-sign-in-delay-store';
import { PostgresAccountRepository } from '../../../src/adapters/out/postgres/accounts/postgres-account-repository';
import { PostgresSessionRepository } from '../../../src/adapters/out/postgres/accounts/postgres-session-repository';
import { PostgresSignInDelayStore } from '../../../src/adapters/out/postgres/accounts/postgres-sign-in-delay-store';
import type { AuditEntry } from '../../../src/domain/partners/ports';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp, aMiniapp } from '../../support/partners/partners';
import { accountsContract } from './accounts.contract';
import { onEachDatabase } from '../each-database';

accountsContract('memory', async () => {
  const [records, registry] = [new MemoryAccountRecords(), new MemoryRegistry()];
  const clock = new ManualClock();
  const delays = new MemorySignInDelayStore(clock);
  return {
    accounts: new MemoryAccountRepository({ records, registry }),
    sessions: new MemorySessionRepository(records),
    delays: [delays, delays],
    passDelays: async (ms) => clock.advance(ms),
    addPartners: async () => {
      registry.hostApps.set('host_1', aHostApp());
      registry.miniapps.set('app_1', aMiniapp());
    },
    audit: async () => records.audit,
  };
});

onEachDatabase((name, database) => {
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const partner = (table: string, id: string) =>
      db.query(`insert into ${table} (id, version, settings, created_at, updated_at) values ($1, 1, '{"name":"x"}', now(), now())`, [id]);
    return {
      accounts: new PostgresAccountRepository(db),
      sessions: new PostgresSessionRepository(db),
      delays: [new PostgresSignInDelayStore(db), new PostgresSignInDelayStore(db)] as const,
      passDelays: (ms: number): Promise<void> =>
        db.query(
          `update sign_in_delays set blocked_until = blocked_until - $1 * interval '1 ms', expires_at = expires_at - $1 * interval '1 ms'`,
          [ms],
        ),
      addPartners: async () => {
        await partner('host_apps', 'host_1');
        await partner('miniapps', 'app_1');
      },
      audit: () => db.query<AuditEntry[]>('select action, subject from audit_log order by id'),
    };
  };
  accountsContract(name, inDatabase);

  it('removes the accounts of a partner with it', async () => {
    const { accounts, addPartners } = await inDatabase();
    await addPartners();
    const account = { id: 'acc_1', email: 'a@b.example', name: 'A', createdAt: 0, role: 'host-app', clientId: 'host_1' } as const;
    await accounts.create(account, { actor: 'operator', action: 'x', subject: 'x', requestId: 'r', at: 0 });
    await database().db.query(`delete from host_apps where id = 'host_1'`);
    expect(await accounts.find('acc_1')).toBeUndefined();
  });

  it('forgets what has expired', async () => {
    const { accounts, sessions, delays, passDelays } = await inDatabase();
    const at = Date.now() - 8 * 24 * 3_600_000;
    const audit = { actor: 'operator', action: 'x', subject: 'x', requestId: 'r', at };
    await accounts.create({ id: 'acc_1', email: 'a@b.example', name: 'A', createdAt: at, role: 'operator' }, audit);
    await accounts.addLink({ digest: 'd', accountId: 'acc_1', purpose: 'reset', expiresAt: at + 1 }, audit);
    const session = { id: 's', digest: 'd', accountId: 'acc_1', createdAt: at, expiresAt: at + 1, address: '', agent: '' };
    await sessions.begin(session, {}, audit);
    await delays[0].attempt('x');
    await passDelays(8 * 24 * 3_600_000);
    expect([await accounts.prune(), await sessions.prune(), await delays[0].prune()]).toEqual([1, 1, 1]);
    expect([await accounts.prune(), await sessions.prune(), await delays[0].prune()]).toEqual([0, 0, 0]);
  });
});

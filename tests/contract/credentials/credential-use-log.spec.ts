import { MemoryCredentialUseLog } from '../../../src/adapters/out/memory/credentials/memory-credential-use-log';
import { CachedPartnerDirectory } from '../../../src/adapters/out/postgres/partners/cached-partner-directory';
import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { hostAppTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { PostgresCredentialUseLog } from '../../../src/adapters/out/postgres/credentials/postgres-credential-use-log';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { CollectingLog } from '../../support/collecting-log';
import { ManualClock } from '../../support/manual-clock';
import { testBox } from '../../support/postgres/test-box';
import { credentialUseLogContract } from './credential-use-log.contract';
import { onEachDatabase } from '../each-database';
import { auditOf, credential } from '../partners/partner-repository.contract';

credentialUseLogContract('memory', async () => {
  const clock = new ManualClock();
  const uses = new MemoryCredentialUseLog(clock);
  const value = credential('secret');
  return { uses, clock, value, lastUsedAt: async (partner, id) => uses.lastUsedAt({ partner, id, kind: 'secret_key', value }) };
});

onEachDatabase((name, database) => {
  const settings = { ...defaultHostAppSettings, name: 'H' };
  const inDatabase = async () => {
    const { db, wipe } = database();
    await wipe();
    const [clock, log, box] = [new ManualClock(), new CollectingLog(), testBox()];
    const hostApps = new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable });
    const stored = await hostApps.create(
      { id: 'host_1', settings, credentials: { secret_key: { current: credential('old') } } },
      auditOf('c'),
    );
    const uses = new PostgresCredentialUseLog({ db, clock, log });
    const slots = async (id = 'host_1') => (await hostApps.find(id))?.credentials.secret_key;
    const lastUsedAt = async (_partner: string, id: string) => {
      await uses.flush();
      return (await slots(id))?.current?.lastUsedAt;
    };
    const value = stored.credentials.secret_key!.current!;
    const use = (): void => uses.used({ partner: 'host-app', id: 'host_1', kind: 'secret_key', value });
    return { uses, clock, log, hostApps, value, slots, lastUsedAt, use };
  };
  credentialUseLogContract(name, inDatabase);

  describe(`PostgresCredentialUseLog: ${name}`, () => {
    const writes = async (): Promise<string> => {
      const [row] = await database().db.query<{ xmin: string }[]>('select xmin::text from partner_credentials');
      return String(row?.xmin);
    };

    it('writes once a minute, however many the uses', async () => {
      const { uses, clock, use, slots } = await inDatabase();
      use();
      await uses.flush();
      const first = { xmin: await writes(), at: clock.now() };
      clock.advance(59_999);
      for (let i = 0; i < 1000; i++) use();
      await uses.flush();
      expect({ xmin: await writes(), at: (await slots())?.current?.lastUsedAt }).toEqual(first);
    });

    it('does not update a time that another instance wrote within a minute', async () => {
      const one = await inDatabase();
      const other = new PostgresCredentialUseLog({ db: database().db, clock: one.clock, log: one.log });
      one.use();
      await one.uses.flush();
      const xmin = await writes();
      one.clock.advance(30_000);
      other.used({ partner: 'host-app', id: 'host_1', kind: 'secret_key', value: one.value });
      await other.flush();
      expect(await writes()).toBe(xmin);
    });

    it('finds the value in whatever slot it is by now', async () => {
      const { uses, clock, hostApps, value, use, slots } = await inDatabase();
      use();
      const changes = { secret_key: { current: credential('new'), previous: value } };
      await hostApps.update('host_1', (partner) => ({ settings: partner.settings, credentials: changes, audit: auditOf('rotated') }));
      await uses.flush();
      expect([(await slots())?.previous?.lastUsedAt, (await slots())?.current?.lastUsedAt]).toEqual([clock.now(), undefined]);
    });

    it('leaves the record of the directory the same object', async () => {
      const { uses, use } = await inDatabase();
      let now = 0;
      const directory = new CachedPartnerDirectory({ db: database().db, box: testBox(), now: () => now });
      const before = await directory.hostApp('host_1');
      use();
      await uses.flush();
      now += 5000;
      expect(await directory.hostApp('host_1')).toBe(before);
    });

    it('writes the remaining uses when it is closed', async () => {
      const { uses, clock, use, slots } = await inDatabase();
      use();
      await uses.close();
      expect((await slots())?.current?.lastUsedAt).toBe(clock.now());
    });

    it('waits for a database that is away, and does not fail its callers', async () => {
      const { clock, log, value } = await inDatabase();
      const away = await createDataSource(database().target).initialize();
      const uses = new PostgresCredentialUseLog({ db: away, clock, log });
      uses.used({ partner: 'host-app', id: 'host_1', kind: 'secret_key', value });
      await away.destroy();
      await uses.close();
      expect(log.of('credential-uses.delayed')).toMatchObject([{ count: 1 }]);
    });
  });
});

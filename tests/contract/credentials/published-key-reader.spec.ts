import { MemoryPublishedKeyReader } from '../../../src/adapters/out/memory/credentials/memory-published-key-reader';
import { memoryHostApps, memoryMiniapps } from '../../../src/adapters/out/memory/partners/memory-partner-repository';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { hostAppTable, miniappTable } from '../../../src/adapters/out/postgres/partners/partner-table';
import { PostgresPartnerRepository } from '../../../src/adapters/out/postgres/partners/postgres-partner-repository';
import { PostgresPublishedKeyReader } from '../../../src/adapters/out/postgres/credentials/postgres-published-key-reader';
import { defaultSignatureSettings } from '../../../src/domain/credentials/signing/signature-settings';
import type { PublishedKeyReader } from '../../../src/domain/credentials/ports';
import { defaultHostAppSettings, type HostApp, type HostAppSettings } from '../../../src/domain/partners/host-app';
import { defaultMiniappSettings, type Miniapp, type MiniappSettings } from '../../../src/domain/partners/miniapp';
import type { HostAppRepository, MiniappRepository } from '../../../src/domain/partners/ports';
import { testBox } from '../../support/postgres/test-box';
import { onEachDatabase } from '../each-database';
import { auditOf, credential } from '../partners/partner-repository.contract';

interface Harness {
  readonly keys: PublishedKeyReader;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  /** Lets milliseconds pass. */
  pass(ms: number): void;
}

const key = (text: string, more: object = {}) => credential(text, { publicKey: `public ${text}`, ...more });
const shown = (text: string) => ({ publicKey: `public ${text}`, fingerprint: `sha256:${text}`, createdAt: 1_700_000_000_000 });

function publishedKeyReaderContract(name: string, open: () => Promise<Harness>): void {
  describe(`PublishedKeyReader: ${name}`, () => {
    it('are the unexpired platform keys of all apps in all slots, by fingerprint', async () => {
      const { keys, hostApps, miniapps, pass } = await open();
      const signature = { ...defaultSignatureSettings, hash: 'SHA-384' as const };
      const slots = { current: key('c'), next: key('a'), previous: key('d', { validUntil: 2000 }) };
      const credentials = { platform_key: slots, partner_public_key: { current: key('p') }, secret_key: { current: credential('s') } };
      await hostApps.create(
        { id: 'same', settings: { ...defaultHostAppSettings, name: 'Host', signature }, credentials },
        auditOf('created'),
      );
      const ofMiniapp = { platform_key: { current: key('b') } };
      const settings = { ...defaultMiniappSettings, name: 'Mini' };
      await miniapps.create({ id: 'same', settings, credentials: ofMiniapp }, auditOf('created'));
      const host = { partner: 'host-app', id: 'same', hash: 'SHA-384' };
      const [a, b, c, d] = [
        { ...host, slot: 'next', ...shown('a') },
        { partner: 'miniapp', id: 'same', hash: 'SHA-256', slot: 'current', ...shown('b') },
        { ...host, slot: 'current', ...shown('c') },
        { ...host, slot: 'previous', ...shown('d'), validUntil: 2000 },
      ];
      expect(await keys.list(1999)).toEqual([a, b, c, d]);
      pass(1000);
      expect(await keys.list(2000)).toEqual([a, b, c]);
    });
  });
}

publishedKeyReaderContract('memory', async () => {
  const registry = new MemoryRegistry();
  const pass = (): void => undefined;
  return { keys: new MemoryPublishedKeyReader(registry), hostApps: memoryHostApps(registry), miniapps: memoryMiniapps(registry), pass };
});

onEachDatabase((name, database) => {
  publishedKeyReaderContract(name, async () => {
    const { db, wipe } = database();
    await wipe();
    const box = testBox();
    let elapsed = 0;
    return {
      keys: new PostgresPublishedKeyReader(db, () => elapsed),
      hostApps: new PostgresPartnerRepository<HostApp, HostAppSettings>({ db, box, table: hostAppTable }),
      miniapps: new PostgresPartnerRepository<Miniapp, MiniappSettings>({ db, box, table: miniappTable }),
      pass: (ms) => void (elapsed += ms),
    };
  });

  describe(`PostgresPublishedKeyReader: ${name}`, () => {
    it('reads once a second, and again after a failure', async () => {
      const { db } = database();
      let elapsed = 0;
      const keys = new PostgresPublishedKeyReader(db, () => elapsed);
      const first = await Promise.all([keys.list(0), keys.list(0), keys.list(0)]);
      elapsed = 999;
      expect(new Set([...first, await keys.list(0)]).size).toBe(1);
      elapsed = 1000;
      expect(await keys.list(0)).not.toBe(first[0]);

      // The first date of JavaScript lies before the first of Postgres.
      const never = -8.64e15;
      elapsed = 5000;
      await expect(keys.list(never)).rejects.toThrow();
      expect(await keys.list(0)).toEqual(first[0]);
    });
  });
});

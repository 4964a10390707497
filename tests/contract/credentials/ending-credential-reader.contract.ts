import type { CredentialSlots } from '../../../src/domain/credentials/credential';
import type { HostAppRepository, MiniappRepository } from '../../../src/domain/partners/ports';
import type { EndingCredentialReader, EndingFilter } from '../../../src/domain/problems/ports';
import { Secret } from '../../../src/domain/shared/secret';
import { aHostApp, aMiniapp } from '../../support/partners/partners';

export interface EndingCredentialReaderHarness {
  readonly ending: EndingCredentialReader;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
}

const now = Date.UTC(2026, 5, 1);
const dayMs = 86_400_000;
const audit = { actor: 'operator', action: 'test', subject: 'test', requestId: 'r', at: now };

const endingIn = (days: number | undefined): CredentialSlots => ({
  previous: {
    ...{ secret: new Secret('old'), fingerprint: `sha256:${String(days)}`, createdAt: now - 90 * dayMs },
    ...(days !== undefined && { validUntil: now + days * dayMs }),
  },
});

/** Credentials that end soon are listed, by any store. */
export function endingCredentialReaderContract(name: string, open: () => Promise<EndingCredentialReaderHarness>): void {
  describe(`EndingCredentialReader: ${name}`, () => {
    let harness: EndingCredentialReaderHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const hostApp = (id: string, days: number | undefined) =>
      harness.hostApps.create({ id, settings: aHostApp().settings, credentials: { secret_key: endingIn(days) } }, audit);
    const listed = async (of: Pick<EndingFilter, 'clientId' | 'appId'> = {}) => {
      const found = await harness.ending.list({ now, until: now + 14 * dayMs, ...of });
      return found.map(({ partnerKind, partnerId, kind, slot, fingerprint }) =>
        [partnerKind, partnerId, kind, slot, fingerprint].join(' '),
      );
    };

    it('lists accepted credentials that end soon, the first to end first', async () => {
      await hostApp('host_1', 3);
      await hostApp('host_2', -1);
      await hostApp('host_3', 1);
      await hostApp('host_4', 30);
      await hostApp('host_5', undefined);
      const credentials = { hmac_secret: endingIn(2) };
      await harness.miniapps.create({ id: 'app_1', settings: aMiniapp().settings, credentials }, audit);
      expect(await listed()).toEqual([
        'host-app host_3 secret_key previous sha256:1',
        'miniapp app_1 hmac_secret previous sha256:2',
        'host-app host_1 secret_key previous sha256:3',
      ]);
    });

    it('has an end that belongs to the list, and a beginning that does not', async () => {
      await hostApp('host_1', 0);
      await hostApp('host_2', 14);
      await hostApp('host_3', 14.001);
      expect(await listed()).toEqual(['host-app host_2 secret_key previous sha256:14']);
    });

    it('lists those of one partner, however many others end before', async () => {
      for (let i = 0; i < 101; i++) await hostApp(`host_${String(i)}`, 1 + i / 1000);
      await harness.miniapps.create({ id: 'host_100', settings: aMiniapp().settings, credentials: { hmac_secret: endingIn(2) } }, audit);
      expect(await listed({ clientId: 'host_100' })).toEqual(['host-app host_100 secret_key previous sha256:1.1']);
      expect(await listed({ appId: 'host_100' })).toEqual(['miniapp host_100 hmac_secret previous sha256:2']);
      expect(await listed({ appId: 'host_1' })).toEqual([]);
    });

    it('tells a hundred at most', async () => {
      for (let i = 0; i < 102; i++) await hostApp(`host_${String(i)}`, 1 + i / 1000);
      const all = await listed();
      expect([all.length, all[0], all[99]?.split(' ')[1]]).toEqual([100, 'host-app host_0 secret_key previous sha256:1', 'host_99']);
    });
  });
}

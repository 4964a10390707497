import { type CallerReader, type CallerLog, otherAddresses } from '../../../src/domain/credentials/caller-tally';
import type { ManualClock } from '../../support/manual-clock';
import { credential } from '../partners/partner-repository.contract';

export interface CallerReaderHarness {
  readonly repository: CallerLog & CallerReader;
  readonly clock: ManualClock;
  /** Resolves once all that was noted can be read. */
  written(): Promise<void>;
}

const host = { kind: 'host-app', id: 'host_1' } as const;
const miniapp = { kind: 'miniapp', id: 'host_1' } as const;
const dayMs = 86_400_000;

/** What somebody may rely on who looks where calls come from. */
export function callerReaderContract(name: string, open: () => Promise<CallerReaderHarness>): void {
  describe(`CallerReader: ${name}`, () => {
    let harness: CallerReaderHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const call = (address: string, outcome: 'admitted' | 'refused' = 'admitted', partner: typeof host | typeof miniapp = host) => {
      harness.repository.called({ partner, address, outcome, requestId: `r-${address}` });
    };
    const addresses = async (partner: typeof host | typeof miniapp = host, since = harness.clock.now() - dayMs) => {
      await harness.written();
      return harness.repository.addresses(partner, since);
    };

    it('knows of nobody before the first call', async () => {
      expect(await addresses()).toEqual([]);
    });

    it('counts admitted and refused calls of each address, the latest first', async () => {
      call('192.0.2.1');
      call('192.0.2.1', 'refused');
      await harness.written();
      const first = harness.clock.now();
      harness.clock.advance(1000);
      call('192.0.2.1');
      call('2001:db8::1');
      harness.clock.advance(1000);
      call('192.0.2.1');
      expect(await addresses()).toEqual([
        { address: '192.0.2.1', admitted: 3, refused: 1, lastAt: first + 2000, lastRequestId: 'r-192.0.2.1' },
        { address: '2001:db8::1', admitted: 1, refused: 0, lastAt: first + 1000, lastRequestId: 'r-2001:db8::1' },
      ]);
    });

    it('keeps partners apart, of one id too', async () => {
      call('192.0.2.1');
      call('192.0.2.2', 'admitted', miniapp);
      expect((await addresses(miniapp)).map(({ address }) => address)).toEqual(['192.0.2.2']);
    });

    it('adds up the hours, and leaves out those before', async () => {
      call('192.0.2.1');
      await harness.written();
      harness.clock.advance(5 * 3_600_000);
      call('192.0.2.1');
      expect(await addresses()).toMatchObject([{ admitted: 2 }]);
      expect(await addresses(host, harness.clock.now() - 3_600_000)).toMatchObject([{ admitted: 1 }]);
    });

    it("shows the addresses that used a credential, without the service's own calls", async () => {
      const value = credential('secret');
      const use = { partner: host.kind, id: host.id, kind: 'secret_key', value } as const;
      harness.repository.used({ ...use, address: '192.0.2.1' });
      harness.repository.used({ ...use, address: '192.0.2.1' });
      harness.repository.used(use);
      await harness.written();
      const { fingerprint } = value;
      expect(await harness.repository.credentialCallers(host, harness.clock.now() - dayMs)).toEqual([
        { kind: 'secret_key', fingerprint, address: '192.0.2.1', uses: 2, lastAt: harness.clock.now() },
      ]);
      expect(await addresses()).toEqual([]);
    });

    it('counts further addresses together', async () => {
      for (let i = 0; i < 300; i++) call(`2001:db8::${i.toString(16)}`);
      const found = await addresses();
      expect(found).toHaveLength(257);
      expect(found.find(({ address }) => address === otherAddresses)).toMatchObject({ admitted: 44 });
    });
  });
}

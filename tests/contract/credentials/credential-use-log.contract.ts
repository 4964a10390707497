import type { CredentialValue } from '../../../src/domain/credentials/credential';
import type { CredentialUseLog } from '../../../src/domain/credentials/ports';
import type { ManualClock } from '../../support/manual-clock';

export interface CredentialUseLogHarness {
  readonly uses: CredentialUseLog;
  readonly clock: ManualClock;
  /** The Secret key of the host app `host_1`, in the slot `current`. */
  readonly value: CredentialValue;
  /** When it was last used, in milliseconds since the epoch, once all that was noted has arrived. */
  lastUsedAt(partner: 'host-app' | 'miniapp', id: string): Promise<number | undefined>;
}

/** What an owner may rely on who looks whether a credential is still used. */
export function credentialUseLogContract(name: string, open: () => Promise<CredentialUseLogHarness>): void {
  describe(`CredentialUseLog: ${name}`, () => {
    let harness: CredentialUseLogHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const use = (id = 'host_1', partner: 'host-app' | 'miniapp' = 'host-app') => {
      harness.uses.used({ partner, id, kind: 'secret_key', value: harness.value });
    };

    it('knows of no use before the first', async () => {
      expect(await harness.lastUsedAt('host-app', 'host_1')).toBeUndefined();
    });

    it('reports a use, and a later one after a minute', async () => {
      use();
      const first = harness.clock.now();
      expect(await harness.lastUsedAt('host-app', 'host_1')).toBe(first);
      harness.clock.advance(60_000);
      use();
      expect(await harness.lastUsedAt('host-app', 'host_1')).toBe(first + 60_000);
    });

    it('keeps partners apart, and ignores a partner that no longer exists', async () => {
      use('host_1', 'miniapp');
      use('host_gone');
      expect(await harness.lastUsedAt('host-app', 'host_1')).toBeUndefined();
    });
  });
}

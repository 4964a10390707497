import { instanceRules, type InstanceReport } from '../../../src/domain/operations/instance';
import type { InstanceRepository } from '../../../src/domain/operations/ports';
import type { AuditEntry } from '../../../src/domain/partners/ports';

export interface InstanceRepositoryHarness {
  readonly repository: InstanceRepository;
  /** The instance was heard of for the last time so many milliseconds ago. */
  silence(id: string, ms: number): Promise<void>;
  audited(): Promise<readonly Pick<AuditEntry, 'action' | 'subject'>[]>;
}

export const anInstance = (id: string, more: Partial<InstanceReport> = {}): InstanceReport => ({
  ...{ id, version: '1.0.0', role: 'serving', startedAt: 1_767_225_600_000 },
  figures: {
    loopDelayMs: { p50: 1, p99: 4, max: 9 },
    pool: { max: 10, open: 3, inUse: 1, waiting: 0 },
    ...{ calls: 2, shed: { first: 3, next: 2, last: 1 }, memory: 100_000_000, processor: 0.25 },
  },
  ...more,
});

const audit = (): AuditEntry => ({ actor: 'operator', action: 'instance.drain-requested', subject: 'instance:i_1', requestId: 'r', at: 1 });

/** What the operator may rely on who looks at the instances, and an instance that announces itself. */
export function instanceRepositoryContract(name: string, open: () => Promise<InstanceRepositoryHarness>): void {
  describe(`InstanceRepository: ${name}`, () => {
    let harness: InstanceRepositoryHarness;
    beforeEach(async () => {
      harness = await open();
    });

    it('shows each instance as it last announced itself', async () => {
      const { repository } = harness;
      expect(await repository.announce(anInstance('i_2', { role: 'worker' }))).toBe(false);
      await repository.announce(anInstance('i_1'));
      const later = { ...anInstance('i_1').figures, calls: 7 };
      await repository.announce(anInstance('i_1', { figures: later }));
      const [first, second] = await repository.list({ limit: 10 });
      expect(first).toMatchObject({ ...anInstance('i_1'), figures: later, state: 'serving' });
      expect(first!.silentMs).toBeLessThan(5000);
      expect(second).toMatchObject({ id: 'i_2', role: 'worker', state: 'serving' });
      expect(await repository.list({ limit: 1 })).toHaveLength(1);
      expect((await repository.list({ limit: 10, after: 'i_1' })).map(({ id }) => id)).toEqual(['i_2']);
      expect(await repository.find('i_2')).toMatchObject({ id: 'i_2' });
      expect(await repository.find('i_3')).toBeUndefined();
    });

    it('distinguishes lost instances from those that left in order', async () => {
      const { repository } = harness;
      await repository.announce(anInstance('i_1'));
      await repository.announce(anInstance('i_2'));
      await harness.silence('i_1', instanceRules.lostAfterMs + 1000);
      await repository.leave('i_2');
      expect((await repository.list({ limit: 10 })).map(({ state }) => state)).toEqual(['lost', 'left']);
      await repository.announce(anInstance('i_1'));
      expect(await repository.find('i_1')).toMatchObject({ state: 'serving' });
    });

    it('shows the request to leave to its instance until that has left', async () => {
      const { repository } = harness;
      await repository.announce(anInstance('i_1'));
      await repository.announce(anInstance('i_2'));
      expect(await repository.requestDrain('i_1', audit)).toMatchObject({ id: 'i_1', state: 'draining' });
      expect(await harness.audited()).toMatchObject([{ action: 'instance.drain-requested', subject: 'instance:i_1' }]);
      expect(await repository.announce(anInstance('i_1'))).toBe(true);
      expect(await repository.announce(anInstance('i_2'))).toBe(false);
      await repository.leave('i_1');
      expect(await repository.find('i_1')).toMatchObject({ state: 'left' });
    });

    it('asks only who serves', async () => {
      const { repository } = harness;
      await repository.announce(anInstance('i_1'));
      await harness.silence('i_1', instanceRules.lostAfterMs + 1000);
      expect(await repository.requestDrain('i_1', audit)).toBeUndefined();
      expect(await repository.requestDrain('i_2', audit)).toBeUndefined();
      expect(await harness.audited()).toEqual([]);
    });

    it('takes no missing id', async () => {
      await expect(harness.repository.find(undefined as never)).rejects.toThrow();
      await expect(harness.repository.leave('')).rejects.toThrow();
      await expect(harness.repository.announce(anInstance(''))).rejects.toThrow();
    });
  });
}

import { dryRunRules, type DryRunReader, type DryRunCall, type DryRunLog } from '../../../src/domain/credentials/dry-run/signature-dry-run';

export interface DryRunReaderHarness {
  readonly repository: DryRunReader & DryRunLog;
  /** Resolves when all that was tried can be read. */
  written(): Promise<unknown>;
}

const begin = Date.UTC(2026, 5, 1);
const host = { partner: { kind: 'host-app', id: 'host_1' }, dryRunId: 'dry_run_1' } as const;

export const aTriedCall = (i: number, more: Partial<DryRunCall> = {}): DryRunCall => ({
  ...{ verdict: 'passed', errorCode: undefined, cause: undefined, requestId: `r-${String(i)}`, path: '/api/v1/connect/', at: begin + i },
  ...more,
});

/** Calls under a dry run are counted exactly, and the latest are listed. */
export function dryRunReaderContract(name: string, open: () => Promise<DryRunReaderHarness>): void {
  describe(`DryRunReader: ${name}`, () => {
    let harness: DryRunReaderHarness;
    beforeEach(async () => {
      harness = await open();
    });

    it('knows of nothing before the first call', async () => {
      expect(await harness.repository.counts(host)).toEqual([]);
      expect(await harness.repository.latest(host)).toEqual([]);
    });

    it('groups calls with the same result, the most frequent first, over several writes', async () => {
      const refused = { verdict: 'refused', errorCode: 'INVALID_SIGNATURE', cause: 'timestamp' } as const;
      for (let i = 0; i < 3; i++) harness.repository.tried(host, aTriedCall(i));
      harness.repository.tried(host, aTriedCall(3, refused));
      await harness.written();
      harness.repository.tried(host, aTriedCall(4, { ...refused, cause: 'encoding' }));
      harness.repository.tried(host, aTriedCall(6, refused));
      harness.repository.tried(host, aTriedCall(5, refused));
      harness.repository.tried(host, aTriedCall(7));
      await harness.written();
      expect(await harness.repository.counts(host)).toEqual([
        { verdict: 'passed', errorCode: undefined, cause: undefined, count: 4, lastAt: begin + 7 },
        { ...refused, count: 3, lastAt: begin + 6 },
        { ...refused, cause: 'encoding', count: 1, lastAt: begin + 4 },
      ]);
    });

    it('shows the latest calls, the latest first, up to its limit', async () => {
      const kept = dryRunRules.callsKept;
      for (let i = 0; i < kept; i++) harness.repository.tried(host, aTriedCall(i));
      await harness.written();
      for (let i = kept; i < 3 * kept; i++) harness.repository.tried(host, aTriedCall(i));
      harness.repository.tried(host, aTriedCall(3 * kept, { verdict: 'gained' }));
      await harness.written();
      const latest = await harness.repository.latest(host);
      expect(latest).toHaveLength(kept);
      expect(latest[0]).toEqual(aTriedCall(3 * kept, { verdict: 'gained' }));
      expect(latest.at(-1)).toEqual(aTriedCall(2 * kept + 1));
      expect((await harness.repository.counts(host)).map(({ count }) => count)).toEqual([3 * kept, 1]);
    });

    it('keeps partners and their dry runs apart', async () => {
      const others = [
        { ...host, dryRunId: 'dry_run_2' },
        { ...host, partner: { kind: 'miniapp', id: 'host_1' } },
        { ...host, partner: { kind: 'host-app', id: 'host_2' } },
      ] as const;
      harness.repository.tried(host, aTriedCall(1));
      for (const other of others) harness.repository.tried(other, aTriedCall(2));
      await harness.written();
      for (const key of [host, ...others]) expect(await harness.repository.counts(key)).toMatchObject([{ count: 1 }]);
      expect((await harness.repository.latest(host)).map(({ requestId }) => requestId)).toEqual(['r-1']);
    });
  });
}

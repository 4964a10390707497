import { shadowRules, type ShadowBook, type ShadowCall, type ShadowLog } from '../../src/domain/credentials/signature-shadow';

export interface ShadowBookHarness {
  readonly book: ShadowBook & ShadowLog;
  /** Resolves when all that was tried can be read. */
  written(): Promise<unknown>;
}

const begin = Date.UTC(2026, 5, 1);
const host = { partner: { kind: 'host-app', id: 'host_1' }, shadowId: 'shadow_1' } as const;

export const aTriedCall = (i: number, more: Partial<ShadowCall> = {}): ShadowCall => ({
  ...{ verdict: 'passed', errorCode: undefined, cause: undefined, requestId: `r-${String(i)}`, path: '/api/v1/connect/', at: begin + i },
  ...more,
});

/** Calls under a shadow are counted exactly, and the latest are listed. */
export function shadowBookContract(name: string, open: () => Promise<ShadowBookHarness>): void {
  describe(`ShadowBook: ${name}`, () => {
    let harness: ShadowBookHarness;
    beforeEach(async () => {
      harness = await open();
    });

    it('knows of nothing before the first call', async () => {
      expect(await harness.book.counts(host)).toEqual([]);
      expect(await harness.book.latest(host)).toEqual([]);
    });

    it('counts calls that fared alike together, the most frequent first, over several writes', async () => {
      const refused = { verdict: 'refused', errorCode: 'INVALID_SIGNATURE', cause: 'timestamp' } as const;
      for (let i = 0; i < 3; i++) harness.book.tried(host, aTriedCall(i));
      harness.book.tried(host, aTriedCall(3, refused));
      await harness.written();
      harness.book.tried(host, aTriedCall(4, { ...refused, cause: 'encoding' }));
      harness.book.tried(host, aTriedCall(6, refused));
      harness.book.tried(host, aTriedCall(5, refused));
      harness.book.tried(host, aTriedCall(7));
      await harness.written();
      expect(await harness.book.counts(host)).toEqual([
        { verdict: 'passed', errorCode: undefined, cause: undefined, count: 4, lastAt: begin + 7 },
        { ...refused, count: 3, lastAt: begin + 6 },
        { ...refused, cause: 'encoding', count: 1, lastAt: begin + 4 },
      ]);
    });

    it('tells the latest calls, the latest first, and no more than it keeps', async () => {
      const kept = shadowRules.callsKept;
      for (let i = 0; i < kept; i++) harness.book.tried(host, aTriedCall(i));
      await harness.written();
      for (let i = kept; i < 3 * kept; i++) harness.book.tried(host, aTriedCall(i));
      harness.book.tried(host, aTriedCall(3 * kept, { verdict: 'gained' }));
      await harness.written();
      const latest = await harness.book.latest(host);
      expect(latest).toHaveLength(kept);
      expect(latest[0]).toEqual(aTriedCall(3 * kept, { verdict: 'gained' }));
      expect(latest.at(-1)).toEqual(aTriedCall(2 * kept + 1));
      expect((await harness.book.counts(host)).map(({ count }) => count)).toEqual([3 * kept, 1]);
    });

    it('keeps partners and their shadows apart', async () => {
      const others = [
        { ...host, shadowId: 'shadow_2' },
        { ...host, partner: { kind: 'miniapp', id: 'host_1' } },
        { ...host, partner: { kind: 'host-app', id: 'host_2' } },
      ] as const;
      harness.book.tried(host, aTriedCall(1));
      for (const other of others) harness.book.tried(other, aTriedCall(2));
      await harness.written();
      for (const key of [host, ...others]) expect(await harness.book.counts(key)).toMatchObject([{ count: 1 }]);
      expect((await harness.book.latest(host)).map(({ requestId }) => requestId)).toEqual(['r-1']);
    });
  });
}

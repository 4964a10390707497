import { RecordCache } from '../../../src/adapters/out/postgres/record-cache';
import { ownText } from '../../../src/domain/shared/own-text';
import { settledHeap } from '../../support/collect';

const bodies = 200;
const bodyBytes = 100_000;

/** A name as it comes: a part of a whole body. */
const nameIn = (n: number): string => {
  const id = `client-${String(n).padStart(20, '0')}`;
  return Buffer.from(`${id}${'x'.repeat(bodyBytes)}`, 'latin1')
    .toString('latin1')
    .slice(0, id.length);
};

/** Bytes that are kept by what `work` leaves. */
async function keptBy(work: () => Promise<unknown>): Promise<number> {
  const before = await settledHeap();
  const left = await work();
  const grown = (await settledHeap()) - before;
  return left === undefined ? 0 : grown;
}

describe('ownText', () => {
  it.each(['', 'a', 'client-00000000000000000001', 'Ünïcödé – 🦉🦉🦉🦉🦉🦉🦉'])('is the same text: %j', (text) => {
    expect(ownText(text)).toBe(text);
  });

  it('keeps nothing of what the text was a part of', async () => {
    const parts = await keptBy(() => Promise.resolve(Array.from({ length: bodies }, (_, n) => nameIn(n))));
    const own = await keptBy(() => Promise.resolve(Array.from({ length: bodies }, (_, n) => ownText(nameIn(n)))));
    expect(parts).toBeGreaterThan(bodies * bodyBytes * 0.9);
    expect(own).toBeLessThan(bodies * bodyBytes * 0.1);
  });
});

describe('RecordCache', () => {
  it.each([['records', { record: 'record', stamp: '1' }] as const, ['that there is none', {}] as const])(
    'keeps %s by names of their own, not by parts of the bodies that asked',
    async (_, loaded) => {
      const cache = new RecordCache<string>({ load: () => Promise.resolve(loaded) });
      const kept = await keptBy(async () => {
        for (let n = 0; n < bodies; n++) await cache.get(nameIn(n));
        return cache;
      });
      expect(await cache.get(nameIn(0))).toBe('record' in loaded ? loaded.record : undefined);
      expect(kept).toBeLessThan(bodies * bodyBytes * 0.1);
    },
  );
});

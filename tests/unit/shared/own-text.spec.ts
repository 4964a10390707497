import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { RecordCache } from '../../../src/adapters/out/postgres/partners/record-cache';
import { ownText } from '../../../src/domain/shared/own-text';

const bodies = 200;
const bodyBytes = 100_000;
const all = bodies * bodyBytes;

type Kept = Readonly<Record<'parts' | 'own' | 'records' | 'nothing', number>>;

function keptOfNames(): Kept {
  const script = join(__dirname, '../../support/postgres/kept-names.cjs');
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', script, `${bodies}`, `${bodyBytes}`], { encoding: 'utf8' })) as Kept;
}

describe('ownText', () => {
  it.each(['', 'a', 'client-00000000000000000001', 'Ünïcödé – 🦉🦉🦉🦉🦉🦉🦉'])('is the same text: %j', (text) => {
    expect(ownText(text)).toBe(text);
  });
});

describe('names that came as parts of bodies', () => {
  it('keep the bodies in memory unless they are copied', () => {
    const { parts, own, records, nothing } = keptOfNames();
    expect(parts).toBeGreaterThan(all * 0.9);
    for (const kept of [own, records, nothing]) expect(kept).toBeLessThan(all * 0.1);
  });

  it.each(['record', undefined])('find the record of the same name: %j', async (record) => {
    const cache = new RecordCache<string>({ load: () => Promise.resolve(record === undefined ? {} : { record, rowVersion: '1' }) });
    const id = 'client-00000000000000000001';
    expect(await cache.get(`${id} of a body`.slice(0, id.length))).toBe(record);
    expect(await cache.get(id)).toBe(record);
  });
});

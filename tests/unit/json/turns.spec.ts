import { mapInTurns, readInTransaction } from '../../../src/adapters/json/in-turns';
import { longWork, nextTurn } from '../../../src/adapters/json/turns';

describe('of work that pauses', () => {
  const steps = async (name: string, wentOn: string[], { bytes, turns = 3 }: { bytes?: number; turns?: number } = {}): Promise<void> => {
    const pause = longWork(bytes);
    for (let turn = 0; turn < turns; turn++) {
      await pause();
      wentOn.push(name);
    }
  };

  it('one piece goes on in each turn of the event loop', async () => {
    const wentOn: string[] = [];
    const works = ['a', 'b', 'c'].map((name) => steps(name, wentOn, { turns: 2 }));
    const counts: number[] = [];
    for (let turn = 0; turn < 7; turn++) {
      await nextTurn();
      counts.push(wentOn.length);
    }
    await Promise.all(works);
    expect(wentOn).toHaveLength(6);
    expect(counts.every((count, turn) => count - (counts[turn - 1] ?? 0) <= 1)).toBe(true);
  });

  it('the shortest goes on first, and of equal ones that which began first', async () => {
    const wentOn: string[] = [];
    const sizes = { '200 kB': 200_000, '10 kB': 10_000, 'also 10 kB': 10_000, '100 bytes': 100 };
    await Promise.all(Object.entries(sizes).map(([name, bytes]) => steps(name, wentOn, { bytes })));
    const thrice = (name: string): string[] => [name, name, name];
    expect(wentOn).toEqual([...thrice('100 bytes'), ...thrice('10 kB'), ...thrice('also 10 kB'), ...thrice('200 kB')]);
  });

  it('long work goes on beside a stream of short work', async () => {
    const wentOn: string[] = [];
    const done = { long: false };
    const long = steps('long', wentOn, { bytes: 20_000 }).then(() => (done.long = true));
    // Each begins as the one before ends.
    while (!done.long && wentOn.length < 1_000_000) await steps('short', wentOn, { bytes: 100, turns: 1 });
    await long;
    expect(wentOn.length).toBeLessThan(1_000_000);
  });

  it('what a transaction reads waits for none of it', async () => {
    let done = 0;
    const others = Array.from({ length: 50 }, () => longWork()().then(() => (done += 1)));
    // Three turns of reading.
    await readInTransaction(Buffer.from(`[${Array(5_000).fill('[]').join()}]`));
    expect(done).toBeLessThan(10);
    await Promise.all(others);
  });

  it('a failure stops no other', async () => {
    const failed = longWork()().then(() => Promise.reject(new Error('failed')));
    const others = [longWork()(), longWork()()];
    await expect(failed).rejects.toThrow('failed');
    await expect(Promise.all(others)).resolves.toHaveLength(2);
  });
});

describe('rows that are mapped', () => {
  it('keep their order', async () => {
    expect(await mapInTurns([3, 1, 2], async (row) => row * 2)).toEqual([6, 2, 4]);
  });

  it('let other work run where they take long', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (turns < 1_000) setImmediate(count);
    };
    setImmediate(count);
    await mapInTurns([1, 2, 3], async () => {
      for (const until = performance.now() + 6; performance.now() < until;);
    });
    const seen = turns;
    turns = 1_000;
    expect(seen).toBeGreaterThanOrEqual(3);
  });
});

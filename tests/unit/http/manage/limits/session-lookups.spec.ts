import { maxLookups, SessionLookups } from '../../../../../src/adapters/in/http/manage/limits/session-lookups';

describe('look-ups of sessions', () => {
  it('run few at once for one session, and all in the end, though one fails', async () => {
    const lookups = new SessionLookups();
    let [running, max] = [0, 0];
    const lookup = async (n: number): Promise<number> => {
      max = Math.max(max, ++running);
      await new Promise((later) => setImmediate(later));
      running--;
      if (n === 2) throw new Error('away');
      return n;
    };
    const ended = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => lookups.run('a', () => lookup(n))));
    expect(max).toBe(maxLookups);
    expect(ended.map(({ status }) => status === 'fulfilled')).toEqual(Array.from({ length: 20 }, (_, n) => n !== 2));
  });

  it('do not wait for those of another session', async () => {
    const lookups = new SessionLookups();
    for (let n = 0; n < maxLookups + 1; n++) void lookups.run('a', () => new Promise(() => undefined));
    await expect(lookups.run('b', () => Promise.resolve('found'))).resolves.toBe('found');
  });

  it('leave nothing behind', async () => {
    const lookups = new SessionLookups();
    await Promise.all(Array.from({ length: 20 }, () => lookups.run('a', () => Promise.resolve())));
    expect(lookups).toEqual(new SessionLookups());
  });
});

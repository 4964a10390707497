import { maxLookUps, SessionLookUps } from '../../../../../src/adapters/in/http/manage/limits/session-look-ups';

describe('look-ups of sessions', () => {
  it('run few at once for one session, and all in the end, though one fails', async () => {
    const lookUps = new SessionLookUps();
    let [running, most] = [0, 0];
    const lookUp = async (n: number): Promise<number> => {
      most = Math.max(most, ++running);
      await new Promise((later) => setImmediate(later));
      running--;
      if (n === 2) throw new Error('away');
      return n;
    };
    const ended = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => lookUps.run('a', () => lookUp(n))));
    expect(most).toBe(maxLookUps);
    expect(ended.map(({ status }) => status === 'fulfilled')).toEqual(Array.from({ length: 20 }, (_, n) => n !== 2));
  });

  it('do not wait for those of another session', async () => {
    const lookUps = new SessionLookUps();
    for (let n = 0; n < maxLookUps + 1; n++) void lookUps.run('a', () => new Promise(() => undefined));
    await expect(lookUps.run('b', () => Promise.resolve('found'))).resolves.toBe('found');
  });

  it('leave nothing behind', async () => {
    const lookUps = new SessionLookUps();
    await Promise.all(Array.from({ length: 20 }, () => lookUps.run('a', () => Promise.resolve())));
    expect(lookUps).toEqual(new SessionLookUps());
  });
});

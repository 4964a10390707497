import { maxRunningCalls, maxWaitingCalls, PartnerTurns } from '../../../../src/adapters/in/http/manage/limits/partner-turns';
import { ManageProblem } from '../../../../src/adapters/in/http/manage/problem';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the turns of partners', () => {
  it('lets so many calls of one partner run at once, and the next when one ends', async () => {
    const turns = new PartnerTurns();
    const running: (() => void)[] = [];
    for (let i = 0; i < maxRunningCalls; i++) running.push(await turns.take('a'));
    const begun: string[] = [];
    const waiting = ['first', 'second'].map((name) => turns.take('a').then((end) => (begun.push(name), end)));
    await settled();
    expect(begun).toEqual([]);
    running[0]!();
    const end = await waiting[0]!;
    await settled();
    expect(begun).toEqual(['first']);
    end();
    await waiting[1]!;
    expect(begun).toEqual(['first', 'second']);
  });

  it('refuses a call where too many wait, and never one of another partner', async () => {
    const turns = new PartnerTurns();
    const ends = Array.from({ length: maxRunningCalls + maxWaitingCalls }, () => turns.take('a'));
    await expect(turns.take('a')).rejects.toEqual(new ManageProblem('too-many'));
    await expect(turns.take('b')).resolves.toBeDefined();
    (await ends[0]!)();
    await expect(Promise.race([turns.take('a').then(() => 'runs'), settled().then(() => 'waits')])).resolves.toBe('waits');
  });

  it('keeps nothing of a partner whose calls have ended', async () => {
    const turns = new PartnerTurns();
    for (let i = 0; i < 3; i++) (await turns.take('a'))();
    expect(turns).toEqual(new PartnerTurns());
  });
});

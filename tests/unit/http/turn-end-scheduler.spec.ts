import { setImmediate as nextTurn } from 'node:timers/promises';
import { TurnEndScheduler } from '../../../src/adapters/in/http/admission/turn-end-scheduler';

describe('the end of a turn of the event loop', () => {
  const began: string[] = [];
  const twoParts = async (name: string): Promise<void> => {
    began.push(`${name} 1`);
    await Promise.resolve();
    began.push(`${name} 2`);
  };
  const step = (name: string) => (): void => void twoParts(name);
  beforeEach(() => (began.length = 0));

  it('is when work begins, all that came together, and goes on step by step', async () => {
    const turnEnd = new TurnEndScheduler();
    for (const name of ['a', 'b', 'c']) turnEnd.schedule(step(name));
    await Promise.resolve();
    expect(began).toEqual([]);
    await nextTurn();
    expect(began).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'c 2']);
  });

  it('leaves work that is scheduled meanwhile to the end of the next turn', async () => {
    const turnEnd = new TurnEndScheduler();
    turnEnd.schedule(() => {
      turnEnd.schedule(step('later'));
      step('first')();
    });
    await nextTurn();
    expect(began).toEqual(['first 1', 'first 2']);
    await nextTurn();
    expect(began).toEqual(['first 1', 'first 2', 'later 1', 'later 2']);
  });
});

import { noteAuditHead } from '../../../src/composition/tasks/audit-once';
import { startPruning } from '../../../src/composition/tasks/prune';
import { CollectingLog } from '../../support/collecting-log';

const minute = 60_000;

describe('the beat that prunes', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('prunes each minute and logs the audit head once a day, whatever fails', async () => {
    const log = new CollectingLog();
    let [heads, rounds] = [0, 0];
    const chain = {
      head: async () => {
        if (++heads === 2) throw new Error('away');
        return { id: String(heads), hash: 'ab12' };
      },
      verify: async () => ({ entries: 0 }),
    };
    const failing = { prune: () => Promise.reject(new Error('away')) };
    const counting = { prune: async () => ++rounds };
    const beat = startPruning([failing, counting], log, () => noteAuditHead(chain, log));
    await jest.advanceTimersByTimeAsync(minute);
    expect(log.of('audit-head')).toEqual([{ id: '1', hash: 'ab12' }]);
    await jest.advanceTimersByTimeAsync(1439 * minute);
    expect([heads, rounds]).toEqual([1, 1440]);
    await jest.advanceTimersByTimeAsync(1441 * minute);
    expect([heads, rounds, log.of('audit-head').length]).toEqual([3, 2881, 2]);
    expect(log.of('prune-failed')).toHaveLength(2881 + 1);
    await beat.stop();
    await jest.advanceTimersByTimeAsync(5 * minute);
    expect(rounds).toBe(2881);
  });
});

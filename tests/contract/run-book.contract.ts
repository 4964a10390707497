import { runRules, type RunBook } from '../../src/domain/operations/ports';
import type { AuditEntry } from '../../src/domain/partners/ports';

interface Asked {
  readonly what: string;
}
interface Done {
  readonly done: number;
}

export interface RunBookHarness {
  readonly book: RunBook<Asked, Done>;
  /** The run was heard of for the last time so many milliseconds ago. */
  silence(id: string, ms: number): Promise<void>;
  audited(): Promise<readonly Pick<AuditEntry, 'action'>[]>;
}

const audit = (action = 'run.started'): AuditEntry => ({ actor: 'operator', action, subject: 'run:r_1', requestId: 'r', at: 1 });

/** What may be relied on by who starts what takes minutes, and by who looks on. */
export function runBookContract(name: string, open: () => Promise<RunBookHarness>): void {
  describe(`RunBook: ${name}`, () => {
    let harness: RunBookHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const start = (id: string, subject = 's_1') =>
      harness.book.start({ id, subject, request: { what: id }, progress: { done: 0 } }, audit());

    it('keeps a run from its start to its end', async () => {
      const { book } = harness;
      expect(await start('r_1')).toMatchObject({ id: 'r_1', state: 'running', request: { what: 'r_1' }, progress: { done: 0 } });
      expect(await harness.audited()).toMatchObject([{ action: 'run.started' }]);
      expect(await book.beat('r_1', { done: 1 })).toBe(false);
      expect(await book.find('r_1')).toMatchObject({ state: 'running', progress: { done: 1 }, cancelAsked: false });
      await book.end('r_1', 'done', { done: 2 });
      const ended = await book.find('r_1');
      expect(ended).toMatchObject({ state: 'done', progress: { done: 2 } });
      expect(ended!.endedAt).toBeGreaterThanOrEqual(ended!.startedAt);
      expect(await book.beat('r_1', { done: 3 })).toBe(true);
      await book.end('r_1', 'failed', { done: 3 });
      expect(await book.find('r_1')).toMatchObject({ state: 'done', progress: { done: 2 } });
      expect(await book.find('r_2')).toBeUndefined();
    });

    it('lets one run at a time', async () => {
      const started = await Promise.all(['r_1', 'r_2', 'r_3', 'r_4'].map((id) => start(id, id)));
      expect(started.filter((run) => run !== undefined)).toHaveLength(1);
      expect(await harness.audited()).toHaveLength(1);
      const [one] = started.filter((run) => run !== undefined);
      await harness.book.end(one!.id, 'done', { done: 1 });
      expect(await start('r_5')).toMatchObject({ state: 'running' });
    });

    it('gives up a run that is silent as another one begins', async () => {
      await start('r_1');
      await harness.silence('r_1', runRules.silentMs + 1000);
      expect(await start('r_2')).toMatchObject({ state: 'running' });
      expect(await harness.book.find('r_1')).toMatchObject({ state: 'interrupted' });
      expect(await harness.book.beat('r_1', { done: 1 })).toBe(true);
    });

    it('tells the run that it is to stop', async () => {
      const { book } = harness;
      await start('r_1');
      expect(await book.cancel('r_1', audit('run.cancelled'))).toMatchObject({ cancelAsked: true, state: 'running' });
      expect(await book.beat('r_1', { done: 1 })).toBe(true);
      await book.end('r_1', 'cancelled', { done: 1 });
      expect(await book.cancel('r_1', audit('run.cancelled'))).toBeUndefined();
      expect(await book.cancel('r_9', audit('run.cancelled'))).toBeUndefined();
      expect((await harness.audited()).map(({ action }) => action)).toEqual(['run.started', 'run.cancelled']);
    });

    it(`keeps the last ${String(runRules.kept)} of each subject, newest first`, async () => {
      const { book } = harness;
      await start('r_00', 'other');
      await book.end('r_00', 'done', { done: 1 });
      for (let i = 1; i <= runRules.kept + 2; i++) {
        const id = `r_${String(i).padStart(2, '0')}`;
        await start(id);
        await book.end(id, 'done', { done: i });
      }
      const ids = (await book.list({ limit: 100 }, 's_1')).map(({ id }) => id);
      expect(ids).toHaveLength(runRules.kept);
      expect(ids[0]).toBe(`r_${String(runRules.kept + 2)}`);
      expect((await book.list({ limit: 2, after: 'r_05' }, 's_1')).map(({ id }) => id)).toEqual(['r_04', 'r_03']);
      expect((await book.list({ limit: 100 })).map(({ id }) => id)).toContain('r_00');
    });

    it('takes no missing id', async () => {
      await expect(harness.book.find(undefined as never)).rejects.toThrow();
      await expect(start('')).rejects.toThrow();
    });
  });
}

import { runRules, type RunRepository } from '../../../src/domain/operations/ports';
import type { AuditEntry } from '../../../src/domain/partners/ports';

interface TestRequest {
  readonly what: string;
}
interface Done {
  readonly done: number;
}

export interface RunRepositoryHarness {
  readonly repository: RunRepository<TestRequest, Done>;
  /** The run was heard of for the last time so many milliseconds ago. */
  silence(id: string, ms: number): Promise<void>;
  audited(): Promise<readonly Pick<AuditEntry, 'action'>[]>;
}

const audit = (action = 'run.started'): AuditEntry => ({ actor: 'operator', action, subject: 'run:r_1', requestId: 'r', at: 1 });

/** What may be relied on by who starts what takes minutes, and by who looks on. */
export function runRepositoryContract(name: string, open: () => Promise<RunRepositoryHarness>): void {
  describe(`RunRepository: ${name}`, () => {
    let harness: RunRepositoryHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const start = (id: string, subject = 's_1') =>
      harness.repository.start({ id, subject, request: { what: id }, progress: { done: 0 } }, audit());

    it('keeps a run from its start to its end', async () => {
      const { repository } = harness;
      expect(await start('r_1')).toMatchObject({ id: 'r_1', state: 'running', request: { what: 'r_1' }, progress: { done: 0 } });
      expect(await harness.audited()).toMatchObject([{ action: 'run.started' }]);
      expect(await repository.beat('r_1', { done: 1 })).toBe(false);
      expect(await repository.find('r_1')).toMatchObject({ state: 'running', progress: { done: 1 }, cancelRequested: false });
      await repository.end('r_1', 'done', { done: 2 });
      const ended = await repository.find('r_1');
      expect(ended).toMatchObject({ state: 'done', progress: { done: 2 } });
      expect(ended!.endedAt).toBeGreaterThanOrEqual(ended!.startedAt);
      expect(await repository.beat('r_1', { done: 3 })).toBe(true);
      await repository.end('r_1', 'failed', { done: 3 });
      expect(await repository.find('r_1')).toMatchObject({ state: 'done', progress: { done: 2 } });
      expect(await repository.find('r_2')).toBeUndefined();
    });

    it('lets one run at a time', async () => {
      const started = await Promise.all(['r_1', 'r_2', 'r_3', 'r_4'].map((id) => start(id, id)));
      expect(started.filter((run) => run !== undefined)).toHaveLength(1);
      expect(await harness.audited()).toHaveLength(1);
      const [one] = started.filter((run) => run !== undefined);
      await harness.repository.end(one!.id, 'done', { done: 1 });
      expect(await start('r_5')).toMatchObject({ state: 'running' });
    });

    it('gives up a run that is silent as another one begins', async () => {
      await start('r_1');
      await harness.silence('r_1', runRules.silentMs + 1000);
      expect(await start('r_2')).toMatchObject({ state: 'running' });
      expect(await harness.repository.find('r_1')).toMatchObject({ state: 'interrupted' });
      expect(await harness.repository.beat('r_1', { done: 1 })).toBe(true);
    });

    it('tells the run that it is to stop', async () => {
      const { repository } = harness;
      await start('r_1');
      expect(await repository.cancel('r_1', audit('run.cancelled'))).toMatchObject({ cancelRequested: true, state: 'running' });
      expect(await repository.beat('r_1', { done: 1 })).toBe(true);
      await repository.end('r_1', 'cancelled', { done: 1 });
      expect(await repository.cancel('r_1', audit('run.cancelled'))).toBeUndefined();
      expect(await repository.cancel('r_9', audit('run.cancelled'))).toBeUndefined();
      expect((await harness.audited()).map(({ action }) => action)).toEqual(['run.started', 'run.cancelled']);
    });

    it(`keeps the last ${String(runRules.kept)} of each subject, newest first`, async () => {
      const { repository } = harness;
      await start('r_00', 'other');
      await repository.end('r_00', 'done', { done: 1 });
      for (let i = 1; i <= runRules.kept + 2; i++) {
        const id = `r_${String(i).padStart(2, '0')}`;
        await start(id);
        await repository.end(id, 'done', { done: i });
      }
      const ids = (await repository.list({ limit: 100 }, 's_1')).map(({ id }) => id);
      expect(ids).toHaveLength(runRules.kept);
      expect(ids[0]).toBe(`r_${String(runRules.kept + 2)}`);
      expect((await repository.list({ limit: 2, after: 'r_05' }, 's_1')).map(({ id }) => id)).toEqual(['r_04', 'r_03']);
      expect((await repository.list({ limit: 100 })).map(({ id }) => id)).toContain('r_00');
    });

    it('takes no missing id', async () => {
      await expect(harness.repository.find(undefined as never)).rejects.toThrow();
      await expect(start('')).rejects.toThrow();
    });
  });
}

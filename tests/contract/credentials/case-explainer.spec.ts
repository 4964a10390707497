import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WorkerExplainer } from '../../../src/adapters/out/signing/explaining/worker-explainer';
import type { SignatureCase } from '../../../src/domain/credentials/explain/signature-case';
import { CollectingLog } from '../../support/collecting-log';
import { inProcess } from '../../support/signatures/in-process-explainer';
import { aCase as caseOf, aSending, newKey, type Sending } from '../../unit/credentials/explain/a-case';

const built = join(__dirname, '../../../dist/src/adapters/out/signing/explaining/explain-worker.js');
const ill = join(__dirname, '../../support/signatures/ill-explainer.cjs');
const log = new CollectingLog();

const key = newKey('HMAC');
const aCase = (changed: Partial<Sending> = {}): SignatureCase => caseOf({ ...aSending('HMAC', key), ...changed });

const at = (target: string): SignatureCase => {
  const theCase = aCase();
  return { ...theCase, request: { ...theCase.request, target } };
};

describe('explanations in a thread of their own', () => {
  const explainer = new WorkerExplainer({ workerFile: built, log, budgetMs: 60_000 });

  it.each<[string, Partial<Sending>]>([
    ['a right signature', {}],
    ['a wrong key', { sign: () => Buffer.alloc(32, 7) }],
  ])('are what they are in the process: %s', async (_what, sending) => {
    expect(existsSync(built)).toBe(true);
    const theCase = aCase(sending);
    expect(await explainer.explain(theCase)).toEqual(await inProcess.explain(theCase));
  });

  it('leave the loop of the process free', async () => {
    const long = aCase({ sign: () => Buffer.alloc(32, 7) });
    const zeros = Buffer.from(`{"payload":{"a":1.${'0'.repeat(60_000)}1}}`);
    const before = performance.eventLoopUtilization();
    await explainer.explain({ ...long, request: { ...long.request, body: zeros } });
    const { active } = performance.eventLoopUtilization(before);
    expect(active).toBeLessThan(500);
  });
});

describe('a thread that does not answer', () => {
  const explainer = new WorkerExplainer({ workerFile: ill, log, budgetMs: 2_000, maxWaiting: 3 });

  it.each([
    ['/loop', 'explanation-too-long'],
    ['/exit', 'explanation-failed'],
    ['/throw', 'explanation-failed'],
  ])('%s is reported as %s, and the next case gets another thread', async (target, cause) => {
    const [bad, good] = [explainer.explain(at(target)), explainer.explain(at('/good'))];
    await expect(bad).rejects.toMatchObject({ details: { cause } });
    expect(await good).toMatchObject({ sentence: '/good' });
  });

  it('is waited for by three at most', async () => {
    const waiting = ['/a', '/b', '/c'].map((target) => explainer.explain(at(target)));
    await expect(explainer.explain(at('/d'))).rejects.toMatchObject({ details: { cause: 'too-many-explanations' } });
    expect(await Promise.all(waiting)).toHaveLength(3);
  });
});

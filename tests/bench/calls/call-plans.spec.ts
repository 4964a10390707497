import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetsOf } from '../page/targets';
import { pairs } from '../peers/peer-stage';
import type { Side } from '../side';
import { callPlans } from './call-plans';

/** Nothing listens: what a load needs before it counts as done. */
const driver = { run: ({ requests }: { requests: readonly unknown[] }) => Promise.resolve({ ok: requests.length, statuses: {} }) };
const side = { url: 'http://127.0.0.1:9', pairs, context: { driver } } as unknown as Side;

const plans = callPlans(side).filter(({ peers }) => peers.includes('tuned'));

describe('the calls that have a twin', () => {
  it('are all that the reference has', async () => {
    const api = JSON.parse(readFileSync(join(__dirname, '../../../docs/reference/openapi/api.json'), 'utf8')) as { paths: object };
    const prepared = await Promise.all(plans.map(async (plan) => (await plan.prepare(1))[0]?.path.split('?')[0]));
    const described = Object.keys(api.paths).map((path) => `/api/v1${path}`.replace('{app_id}', pairs.basic.appId));
    expect([...new Set(prepared)].sort()).toEqual(described.sort());
  });

  it('each have a target', () => {
    const bound = targetsOf({}).map(({ what }) => what);
    expect(plans.map(({ name }) => `${name}, CPU a request`).filter((what) => !bound.includes(what))).toEqual([]);
  });
});

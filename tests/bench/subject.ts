import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options';
import type { CallPlan } from './call-plans';
import { end, endsWithUs, startListening } from './child-process';
import { freePort } from '../support/postgres-server';
import { connects } from './prepared-calls';
import { leadInS, measure, measureSteady, type Round } from './round';
import type { Stage } from './stage';

/** Something that is measured by turns with others. */
export interface Subject {
  readonly name: string;
  readonly credential: string;
  warmUp(): Promise<void>;
  round(seconds: number): Promise<Round>;
  /** Bytes of heap for a request; absent where that is not told. */
  allocation?(): Promise<number>;
  stop(): Promise<void>;
}

const warmUpS = 5;
const nothing = async (): Promise<void> => undefined;

/** A call of the service. */
export function callOf(stage: Stage, plan: CallPlan, options: BenchOptions): Subject {
  const { url } = stage.service;
  const { connections = options.connections } = plan;
  let perSecond = 0;
  /** Prepares a load, and what it needs at the service; resolves to what makes it. */
  const readyFor = async (seconds: number): Promise<() => Promise<Round & { readonly requests: number }>> => {
    const count = perSecond > 0 ? Math.ceil(perSecond * seconds) : (plan.first ?? 0);
    const requests = await plan.prepare(count);
    let amiss = 0;
    const { afterwards } = plan;
    const settled = async (): Promise<number> => {
      const caused = await afterwards?.(count);
      amiss = caused?.amiss ?? 0;
      return caused?.endedAt ?? 0;
    };
    const job = { url, requests, connections, ...(plan.once ? { once: true } : { seconds }) };
    return async () => {
      await plan.begin?.();
      const round = await measure(stage.loaded, job, settled);
      return { ...round, errors: round.errors + amiss };
    };
  };
  const run = async (seconds: number): Promise<Round & { readonly requests: number }> => (await readyFor(seconds))();
  return {
    ...{ name: plan.name, credential: plan.credential, stop: nothing },
    round: async (seconds) => {
      const [leadIn, load] = [await readyFor(leadInS), await readyFor(seconds)];
      await leadIn();
      return load();
    },
    warmUp: async () => {
      if (plan.once) ({ perSecond } = await run(0));
      if (perSecond > 0) ({ perSecond } = await run(warmUpS));
      else await run(warmUpS);
    },
    allocation: async () => {
      const load = await readyFor(warmUpS);
      let requests = 0;
      const bytes = await stage.service.allocatedDuring(async () => void ({ requests } = await load()));
      return bytes / requests;
    },
  };
}

/** The relay without checks and database: what a call costs at least. With an algorithm it verifies a signature for each request. */
export async function floorOf(stage: Stage, { connections }: BenchOptions, algorithm?: 'ecdsa' | 'rsa2'): Promise<Subject> {
  const { child, url } = await startListening(join(__dirname, 'relay.cjs'), [
    String(stage.around.stub.port),
    ...(algorithm ? [algorithm] : []),
  ]);
  const requests = connects(stage.pairs.basic);
  const job = { url, requests, connections };
  const loaded = { ...stage.loaded, pid: child.pid ?? 0 };
  const round = (seconds: number): Promise<Round> => measureSteady(loaded, { ...job, seconds });
  const warmUp = async (): Promise<void> => {
    await loaded.driver.run({ ...job, seconds: warmUpS });
  };
  const name = algorithm ? `floor-${algorithm}` : 'floor';
  return { name, credential: algorithm ? 'one verification' : 'none', warmUp, round, stop: () => end(child) };
}

/** A peer: started anew for every round, as it keeps its connections to the database open for as long as it runs. */
export function peerOf(stage: Stage, name: string, { connections, peers = '' }: BenchOptions): Subject {
  const { clientId: CLIENT_ID, appId: APP_ID, hostBasic: BASIC } = stage.pairs.basic;
  const requests = connects(stage.pairs.basic);
  const env = { PATH: process.env['PATH'], DATABASE_URL: stage.database.url, CLIENT_ID, APP_ID, BASIC };
  const round = async (seconds: number): Promise<Round> => {
    const port = await freePort();
    const child = spawn(process.execPath, [join('peers', `${name}.mjs`), String(port), String(stage.around.stub.port)], {
      ...{ cwd: peers, env, stdio: ['ignore', 'pipe', 'inherit'] },
    } as const);
    endsWithUs(child);
    try {
      await once(child.stdout, 'data');
      const job = { url: `http://127.0.0.1:${port}`, requests, connections };
      await stage.around.driver.run({ ...job, seconds: warmUpS });
      return await measure({ ...stage.loaded, pid: child.pid ?? 0 }, { ...job, seconds });
    } finally {
      await end(child);
    }
  };
  return { name, credential: name === 'limit' ? 'none' : 'Basic', warmUp: nothing, round, stop: nothing };
}

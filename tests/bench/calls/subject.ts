import type { BenchOptions } from '../bench-options';
import type { CallPlan } from './call-plan';
import { leadInS, measure, type Round } from '../round';
import type { Side } from '../side';

/** One call at one side. */
export interface Subject {
  readonly name: string;
  readonly credential: string;
  warmUp(): Promise<void>;
  round(seconds: number): Promise<Round>;
  /** Bytes of heap for a request; absent where that is not measured. */
  allocation?(): Promise<number>;
}

const warmUpS = 5;
/** Seconds of the load whose allocations are counted. */
const allocationS = 2;

/** The call of a plan at the side that it was made for. */
export function callOf(side: Side, plan: CallPlan, options: Pick<BenchOptions, 'connections'>): Subject {
  const { connections = options.connections, afterwards } = plan;
  let perSecond = 0;
  /** Prepares a load, and what it needs before; resolves to what makes it. */
  const readyFor = async (seconds: number): Promise<() => Promise<Round & { readonly requests: number }>> => {
    const count = perSecond > 0 ? Math.ceil(perSecond * seconds) : (plan.first ?? 0);
    const requests = await plan.prepare(count);
    let amiss = 0;
    const settled = async (): Promise<number> => {
      const caused = await afterwards?.(count);
      amiss = caused?.amiss ?? 0;
      return caused?.endedAt ?? 0;
    };
    const job = { url: side.url, requests, connections, ...(plan.once ? { once: true } : { seconds }) };
    return async () => {
      await plan.begin?.();
      const round = await measure(side.loaded, job, settled);
      return { ...round, errors: round.errors + amiss };
    };
  };
  const run = async (seconds: number): Promise<Round & { readonly requests: number }> => (await readyFor(seconds))();
  const { allocatedDuring } = side;
  return {
    ...{ name: plan.name, credential: plan.credential },
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
    ...(allocatedDuring && {
      allocation: async () => {
        const load = await readyFor(allocationS);
        let requests = 0;
        const bytes = await allocatedDuring.call(side, async () => void ({ requests } = await load()));
        return bytes / requests;
      },
    }),
  };
}

import type { BenchOptions } from '../bench-options';
import { sendOnce } from './call-plan';
import type { AddedLatency, LatencyCall, Sections } from '../page/figures';
import { paceOf, type Delays, type PairedFigures } from '../load/load-driver';
import { authorizations, connects, creations, users, type PreparedRequest } from './prepared-calls';
import { leadInS, median, printLine } from '../round';
import type { Stage } from '../stage';
import { machineTime, stolenPart } from '../stolen-time';

const warmUpS = 10;
/** How long full load shows what can be done. What it writes comes to the disk while half of it is measured: no more than is needed. */
const paceS = 3;
/** The pace of a machine that others share changes within seconds: so there are more rounds than of others. */
const latencyRounds = 2;
/** Of the calls through the service, so many are made at the partner beside them: enough for a p99 of each second. */
const directPart = 1 / 4;
/** Calls a second, before the first full load has shown how many can be made. */
const firstPace = 300;

/** One second of calls, by when they were sent. */
type SecondOfCalls = Readonly<Record<'direct' | 'through' | 'added', Delays>>;

interface LatencyPlan {
  readonly call: LatencyCall;
  /** Each request is good for once. */
  readonly once: boolean;
  /** As many requests; where they may come again, those that take turns. */
  requests(count: number): PreparedRequest[];
  /** The call that the service makes for one of them. */
  atPartner(body: { readonly user_data: object; readonly app_id: string; readonly order: object }): { path: string; body: object };
}

/** What connect and create-order-payment take longer through the service than the partner's answer, with half as many calls as there could be. */
export async function measureLatency(stage: Stage, options: BenchOptions): Promise<Sections['latency']> {
  const { basic, payments } = stage.pairs;
  await sendOnce(stage, authorizations(payments, users));
  const plans: LatencyPlan[] = [
    { call: 'connect', once: false, requests: () => connects(basic), atPartner: ({ user_data: body }) => ({ path: '/auth', body }) },
    {
      ...{ call: 'create-order-payment', once: true, requests: (count) => creations(payments, count).requests },
      atPartner: ({ app_id, order }) => ({ path: '/create', body: { app_id, order } }),
    },
  ];
  const found: Partial<Record<LatencyCall, AddedLatency>> = {};
  for (const plan of plans) found[plan.call] = await addedLatency(stage, plan, options);
  return found;
}

/**
 * How many calls there could be is found anew for every round: on a machine that others share, half of what could be done a minute ago is
 * two thirds of what can be now. The calls at the partner are made at the same time, so that what holds up the machine holds up both, and
 * compared second by second, so that it counts in that second alone.
 */
async function addedLatency(stage: Stage, plan: LatencyPlan, { rounds, seconds, connections }: BenchOptions): Promise<AddedLatency> {
  const { context, url } = stage;
  const fullLoad = async (atPace: number, duration: number): Promise<number> => {
    const requests = plan.requests(Math.ceil(atPace * duration));
    return paceOf(await context.driver.run({ url, connections, requests, ...(plan.once ? { once: true } : { seconds: duration }) }));
  };
  let pace = await fullLoad(firstPace, 1);
  pace = await fullLoad(pace, warmUpS);
  const paces: number[] = [];
  const found: SecondOfCalls[] = [];
  const began = machineTime();
  for (let n = 0; n < rounds * latencyRounds; n++) {
    pace = await fullLoad(pace, paceS);
    const perSecond = Math.round(pace / 2);
    const requests = plan.requests(Math.ceil(perSecond * (leadInS + seconds)) + 1);
    const direct = {
      url: context.stub.url,
      requests: requests.map((one) => atPartner(plan, one)),
      perSecond: Math.round(perSecond * directPart),
    };
    const through = { url, requests, connections, seconds: leadInS + seconds, leadInS, perSecond };
    const ofRound = secondsOf(await context.driver.runBoth(through, direct));
    const { p50, p99 } = medianDelays(ofRound.map(({ added }) => added));
    printLine(`${plan.call}, round ${n + 1}: ${perSecond} a second, added p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
    paces.push(perSecond);
    found.push(...ofRound);
  }
  const over = (kind: keyof SecondOfCalls): Delays => medianDelays(found.map(({ [kind]: delays }) => delays));
  const figures = { perSecond: median(paces), direct: over('direct'), through: over('through'), added: over('added') };
  return { ...figures, seconds: found.length, stolen: stolenPart(began, machineTime()) };
}

/** Throws where a call failed, of either kind. */
function secondsOf({ beside, ...went }: PairedFigures): SecondOfCalls[] {
  for (const { ok, requests, statuses } of [went, beside]) {
    if (ok < requests) throw new Error(`At half load ${requests - ok} calls of ${requests} failed: ${JSON.stringify(statuses)}`);
  }
  return went.bySecond.map((through, nth) => {
    const direct = beside.bySecond[nth]!;
    return { direct, through, added: { p50: through.p50 - direct.p50, p99: through.p99 - direct.p99 } };
  });
}

const medianDelays = (of: readonly Delays[]): Delays => ({ p50: median(of.map(({ p50 }) => p50)), p99: median(of.map(({ p99 }) => p99)) });

function atPartner(plan: LatencyPlan, request: PreparedRequest): PreparedRequest {
  const { path, body } = plan.atPartner(JSON.parse(request.body) as Parameters<LatencyPlan['atPartner']>[0]);
  return { ...request, path, body: JSON.stringify(body) };
}

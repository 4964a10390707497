import type { BenchOptions } from './bench-options';
import type { Sections } from './figures';
import { paceOf, type Delays, type PairedFigures } from './load-driver';
import { connects, type PreparedRequest } from './prepared-calls';
import { leadInS, median, tell } from './round';
import type { Stage } from './stage';
import { machineTime, stolenPart } from './stolen-time';

const warmUpS = 10;
/** How long it is asked what can be done. What full load writes is brought to the disk while half of it is measured: no more than is needed. */
const paceS = 3;
/** The pace of a machine that others share changes within seconds: so there are more rounds than of others. */
const latencyRounds = 3;
/** Of the calls through the service, so many are made at the partner beside them: enough for a p99 of each second. */
const directPart = 1 / 4;

/** One second of calls, by when they were sent. */
type SecondOfCalls = Readonly<Record<'direct' | 'through' | 'added', Delays>>;

/**
 * What a call through the service takes longer than one made at the partner, with half as many calls as there could be. How many that are is
 * asked anew for every round: on a machine that others share, half of what could be done a minute ago is two thirds of what can be now. Both
 * are made at the same time, so that what holds up the machine holds up both, and compared second by second, so that it counts in that second alone.
 */
export async function measureLatency(stage: Stage, { rounds, seconds, connections }: BenchOptions): Promise<Sections['latency']> {
  const { around, service, pairs } = stage;
  const requests = connects(pairs.basic);
  const full = { url: service.url, requests, connections };
  const direct = { url: around.stub.url, requests: requests.map(atPartner) };
  await around.driver.run({ ...full, seconds: warmUpS });
  const paces: number[] = [];
  const found: SecondOfCalls[] = [];
  const began = machineTime();
  for (let n = 0; n < rounds * latencyRounds; n++) {
    const perSecond = Math.round(paceOf(await around.driver.run({ ...full, seconds: paceS })) / 2);
    const beside = { ...direct, perSecond: Math.round(perSecond * directPart) };
    const ofRound = secondsOf(await around.driver.runBoth({ ...full, seconds: leadInS + seconds, leadInS, perSecond }, beside));
    const { p50, p99 } = medianDelays(ofRound.map(({ added }) => added));
    tell(`round ${n + 1}: ${perSecond} a second, added p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
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

/** The call that the service makes for a connect. */
function atPartner({ body, ...request }: PreparedRequest): PreparedRequest {
  return { ...request, path: '/auth', body: JSON.stringify((JSON.parse(body) as { user_data: unknown }).user_data) };
}

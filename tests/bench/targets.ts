import type { CallFigures, Figures } from './figures';

/** One figure that is to be reached, and where it stands. */
export interface Target {
  readonly what: string;
  /** What must be reached, and what is aimed at. */
  readonly must: string;
  readonly aim?: string;
  /** What was measured; absent: nothing was. */
  readonly found?: string;
  readonly met?: boolean;
}

interface Bound {
  readonly what: string;
  readonly value: number | undefined;
  readonly must: number;
  readonly aim?: number;
  /** Around the numbers, with `#` in their place. */
  readonly as: string;
  readonly atLeast?: true;
}

/** Every target, with what the figures say of it. */
export function targetsOf(figures: Figures): Target[] {
  return [...costs(figures), ...paces(figures), ...rest(figures)].map(judged);
}

function judged({ what, value, must, aim, as, atLeast }: Bound): Target {
  const said = (number: number): string => as.replace('#', String(number));
  const bound = atLeast ? 'at least' : 'at most';
  const target = { what, must: `${bound} ${said(must)}`, ...(aim !== undefined && { aim: said(aim) }) };
  if (value === undefined) return target;
  return { ...target, found: said(Number(value.toPrecision(3))), met: atLeast ? value >= must : value <= must };
}

/** A quotient, where both were measured. */
function ratio(of: number | undefined, to: number | undefined): number | undefined {
  return of === undefined || to === undefined || to === 0 ? undefined : of / to;
}

const finder = ({ calls }: Figures) => {
  return (name: string): CallFigures | undefined => calls?.all.find((call) => call.name === name);
};

function costs(figures: Figures): Bound[] {
  const find = finder(figures);
  const cpuOf = (name: string): number | undefined => find(name)?.cpuMs;
  const basic = cpuOf('connect-basic');
  // What Basic may be exceeded by is what HMAC may be; a verification comes on top, at what it costs a relay that does nothing else.
  const signed = (algorithm: 'ecdsa' | 'rsa2'): number | undefined => {
    const [floor, verifying] = [cpuOf('floor'), cpuOf(`floor-${algorithm}`)];
    if (basic === undefined || floor === undefined || verifying === undefined) return undefined;
    return ratio(cpuOf(`connect-${algorithm}`), 1.15 * basic + verifying - floor);
  };
  const sum = '# × (1.15 × Basic + one verification by OpenSSL)';
  return [
    { what: 'connect with Basic, CPU a request', value: ratio(basic, cpuOf('tuned')), must: 1.5, aim: 1, as: '# × `tuned`' },
    { what: 'connect with Basic, CPU a request', value: ratio(basic, cpuOf('limit')), must: 3, aim: 2.2, as: '# × `limit`' },
    { what: 'connect with HMAC, CPU a request', value: ratio(cpuOf('connect-hmac'), basic), must: 1.15, as: '# × Basic' },
    { what: 'connect with ECDSA P-256, CPU a request', value: signed('ecdsa'), must: 1, as: sum },
    { what: 'connect with RSA2, CPU a request', value: signed('rsa2'), must: 1, as: sum },
  ];
}

function paces(figures: Figures): Bound[] {
  const find = finder(figures);
  const paceOf = (name: string): number | undefined => find(name)?.perSecond;
  const [basic, { latency }] = [paceOf('connect-basic'), figures];
  const connects = `connect, requests a second at ${figures.calls?.connections ?? 64} connections`;
  return [
    { what: connects, value: ratio(basic, paceOf('tuned')), must: 0.65, aim: 1, as: '# × `tuned`', atLeast: true },
    { what: connects, value: ratio(basic, paceOf('naive')), must: 6, as: '# × `naive`', atLeast: true },
    { what: 'added latency at half load, p50', value: latency?.added.p50, must: 2, as: '# ms' },
    { what: 'added latency at half load, p99', value: latency?.added.p99, must: 10, as: '# ms' },
    {
      ...{ what: 'complete-order with its delivery, a second', value: ratio(paceOf('complete-order'), basic), must: 0.5 },
      ...{ as: '# × connect', atLeast: true },
    },
  ];
}

/** What holds for a run of its own, of the size that the target speaks of. */
function rest({ growth, memory, workers, start }: Figures): Bound[] {
  const long = memory && memory.minutes >= 10 ? memory : undefined;
  const whole = growth && (growth.rows['exchanges'] ?? 0) >= 10_000_000 ? growth : undefined;
  return [
    {
      what: 'CPU a request on a grown database',
      value: whole && Math.max(whole.times.grown, whole.times.spread),
      must: 1.1,
      as: '# × an empty one',
    },
    { what: 'memory of a serving process after 10 minutes of load', value: long?.lastMb, must: 150, as: '# MB' },
    { what: 'memory, how it grows in the end', value: long?.mbAMinute, must: 0.3, as: '# MB a minute' },
    {
      ...{ what: 'CPU a request with `WORKERS=2`', value: ratio(workers?.two.cpuMs, workers?.one.cpuMs), must: 1.05 },
      as: '# × `WORKERS=1`',
    },
    { what: 'start to ready, Postgres', value: start && start.postgres / 1000, must: 1.5, as: '# s' },
    { what: 'start to ready, embedded database', value: start && start.embedded / 1000, must: 5, as: '# s' },
    { what: '`npm run demo`, embedded database', value: start && start.demo / 1000, must: 10, as: '# s' },
  ];
}

import type { CallFigures, FigureReader, PeerName, Ratios } from './figures';

/** One figure that is to be reached, and where it stands. */
export interface Target {
  readonly what: string;
  /** The bound, and the aim. */
  readonly must: string;
  readonly aim?: string;
  /** The figure; absent: not measured. */
  readonly found?: string;
  readonly met?: boolean;
}

interface Bound {
  readonly what: string;
  readonly value: number | undefined;
  readonly must: number;
  readonly aim?: number;
  /** Around the numbers, `#` stands for them. */
  readonly as: string;
  readonly atLeast?: true;
}

/** Every target, with what the figures say of it. */
export function targetsOf(figures: FigureReader): Target[] {
  return [
    ...ofConnect(figures),
    ...ofRoutes(figures),
    ...ofDeliveries(figures),
    ...ofLatency(figures),
    ...ofMemory(figures),
    ...ofStatements(figures),
  ].map(targetOf);
}

function targetOf({ what, value, must, aim, as, atLeast }: Bound): Target {
  const labelFor = (number: number): string => as.replace('#', String(number));
  const bound = atLeast ? 'at least' : 'at most';
  const target = { what, must: `${bound} ${labelFor(must)}`, ...(aim !== undefined && { aim: labelFor(aim) }) };
  if (value === undefined) return target;
  return { ...target, found: labelFor(Number(value.toPrecision(3))), met: atLeast ? value >= must : value <= must };
}

/** The call of the service by its name. */
const find = ({ calls }: FigureReader, name: string): CallFigures | undefined =>
  calls?.all.find((call) => call.name === name && call.peer === undefined);

/** The figure of a call as a multiple of a peer's. */
function multiple(
  figures: FigureReader,
  [name, peer]: readonly [string, PeerName],
  of: keyof Ratios,
  bound: Pick<Bound, 'must' | 'aim'>,
): Bound {
  const [what, atLeast] = of === 'cpu' ? ['CPU a request', undefined] : ['requests a second', true as const];
  const value = find(figures, name)?.against?.[peer]?.[of];
  return { what: `${name}, ${what}`, value, ...bound, as: `# × \`${peer}\``, ...(atLeast && { atLeast }) };
}

const ofConnect = (figures: FigureReader): Bound[] => [
  multiple(figures, ['connect-basic', 'tuned'], 'cpu', { must: 1.6, aim: 1.2 }),
  multiple(figures, ['connect-basic', 'stack'], 'cpu', { must: 0.33, aim: 0.25 }),
  multiple(figures, ['connect-basic', 'limit'], 'cpu', { must: 3.5, aim: 2.4 }),
  multiple(figures, ['connect-basic', 'tuned'], 'perSecond', { must: 0.7, aim: 1 }),
];

/** The routes that have a twin, by the names of their calls. Two of them must keep a pace, too. */
const pacedCalls = ['authorize', 'create-order-payment'];
const otherCalls = [
  ...['partner-login', 'get-consent', 'save-consent', 'revoke', 'settings', 'approved-miniapps', 'track', 'get-payment-status'],
  ...['complete-order', 'events-miniapp', 'events-hostapp', 'analytics-single', 'analytics-list'],
];

const ofRoutes = (figures: FigureReader): Bound[] => [
  ...pacedCalls.flatMap((name) => [
    multiple(figures, [name, 'tuned'], 'cpu', { must: 2, aim: 1.3 }),
    multiple(figures, [name, 'tuned'], 'perSecond', { must: 0.5, aim: 0.9 }),
  ]),
  ...otherCalls.map((name) => multiple(figures, [name, 'tuned'], 'cpu', { must: 2, aim: 1.3 })),
];

function ofDeliveries(figures: FigureReader): Bound[] {
  const [complete, connect] = ['complete-order', 'connect-basic'].map((name) => find(figures, name)?.perSecond);
  const value = complete !== undefined && connect ? complete / connect : undefined;
  return [{ what: 'complete-order with its delivery, a second', value, must: 0.5, as: '# × connect', atLeast: true }];
}

const ofLatency = ({ latency }: FigureReader): Bound[] =>
  (['connect', 'create-order-payment'] as const).flatMap((call) => [
    { what: `${call}, added latency at half load, p50`, value: latency?.[call]?.added.p50, must: 2, as: '# ms' },
    { what: `${call}, added latency at half load, p99`, value: latency?.[call]?.added.p99, must: 10, as: '# ms' },
  ]);

/** What holds for a run that is as long as the target says. */
function ofMemory({ memory }: FigureReader): Bound[] {
  const long = memory && memory.minutes >= 10 ? memory : undefined;
  return [
    { what: 'memory of a serving process after 10 minutes of load', value: long?.lastMb, must: 170, as: '# MB' },
    { what: 'memory, growth over the last 5 of them', value: long?.mbAMinute, must: 0.3, as: '# MB a minute' },
  ];
}

/** Statements that a call may send, without Idempotency-Key and nonce; its share in the one that records the exchanges of many comes on top. */
const statementBudgets = {
  'connect-basic': 1,
  authorize: 3,
  'create-order-payment': 2,
  'get-payment-status': 1,
  'complete-order': 1,
  'events-miniapp': 0,
  'events-hostapp': 0,
};

const recordShare = 0.1;

const ofStatements = ({ statements }: FigureReader): Bound[] =>
  Object.entries(statementBudgets).map(([name, must]) => {
    return {
      what: `${name}, statements a call at 64 connections`,
      value: statements?.of[name]?.together,
      must: must + recordShare,
      as: '#',
    };
  });

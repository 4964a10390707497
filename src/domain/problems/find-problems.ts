import type { Exchange } from '../exchanges/exchange';
import type { ExchangeReader } from '../exchanges/ports';
import { add } from '../figures/added-up';
import type { FigureQuery, Figures, Sum } from '../figures/ports';
import { grouped } from '../shared/grouped';
import { type Verdict, verdictOfCall } from '../timeline/verdict';
import type { Mute, MuteBook, ProblemKey } from './ports';
import { pairName } from '../partners/pair-name';

/** `open`: it goes on; `past`: the same calls went well since, and for an hour it was not seen. */
export type ProblemState = 'open' | 'past' | 'muted';

/** Failures of one cause. */
export interface Problem extends ProblemKey {
  readonly state: ProblemState;
  readonly count: number;
  /** When it was seen first and last in the range; milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly calls: readonly string[];
  /** What the last of them says; absent: its record is not kept any more. */
  readonly verdict?: Verdict | undefined;
  readonly exchangeId?: string | undefined;
  readonly mute?: Mute | undefined;
}

interface Deps {
  readonly figures: Figures;
  readonly exchanges: Pick<ExchangeReader, 'failuresAt'>;
  readonly mutes: Pick<MuteBook, 'list'>;
}

/** How many of the most frequent problems are listed. */
const most = 50;
/** So many of the most frequent causes are examined, so many at once, until enough problems are found. */
const mostExamined = 1000;
const atOnce = 100;
const hourMs = 3_600_000;

/** Groups the failures of a range by their cause: error code, side, step and pair. */
export class FindProblems {
  constructor(private readonly deps: Deps) {}

  /** Those that go on first, then by count. */
  async execute(query: FigureQuery, now: number): Promise<readonly Problem[]> {
    const failed = { ...query, hasFailed: true };
    const [sums, mutes] = await Promise.all([this.deps.figures.sums(failed, ['pair', 'call', 'ending']), this.deps.mutes.list()]);
    const causes = [...grouped(sums, (sum) => keyText(keyOf(sum))).values()].sort((a, b) => countOf(b) - countOf(a));
    const problems: Problem[] = [];
    for (let from = 0; from < Math.min(causes.length, mostExamined) && openIn(problems) < most; from += atOnce) {
      const some = causes.slice(from, from + atOnce);
      const wentWell = await this.lastSuccesses(query, some.filter(seenBefore(now - hourMs)));
      problems.push(...some.map((own) => problemOf(own, { wentWell, mutes, now })));
    }
    const first = problems.sort((a, b) => rank[a.state] - rank[b.state] || b.count - a.count).slice(0, most);
    return this.explained(first);
  }

  /** When the calls of these failures went well last, by their place. */
  private async lastSuccesses(query: FigureQuery, causes: readonly (readonly Sum[])[]): Promise<ReadonlyMap<string, number>> {
    if (causes.length === 0) return new Map();
    const pairs = [...grouped(causes.flat(), pairName).values()].map((own) => {
      const { clientId = '', appId = '' } = own[0]!;
      return { clientId, appId };
    });
    const sums = await this.deps.figures.sums({ ...query, pairs, hasFailed: false }, ['pair', 'call']);
    return new Map(sums.map((sum) => [placeOf(sum), sum.lastAt]));
  }

  private async explained(problems: readonly Problem[]): Promise<readonly Problem[]> {
    const places = problems.map(({ errorCode, failedSide, failedStep, clientId, appId, lastAt }) => {
      return { errorCode: errorCode === '' ? undefined : errorCode, failedSide, failedStep, clientId, appId, at: lastAt };
    });
    const found = await this.deps.exchanges.failuresAt(places);
    const lastOf = new Map(found.map((exchange) => [keyText(keyOf(exchange)), exchange]));
    return problems.map((problem) => {
      const last = lastOf.get(keyText(problem));
      return last ? { ...problem, verdict: verdictOfCall(last), exchangeId: last.id } : problem;
    });
  }
}

const rank: Readonly<Record<ProblemState, number>> = { open: 0, past: 1, muted: 2 };

const keyOf = ({ errorCode = '', failedSide, failedStep, clientId, appId }: Sum | Exchange): ProblemKey => ({
  ...{ errorCode, failedSide, failedStep, clientId, appId },
});

/** The same text for the same problem. */
export const keyText = ({ errorCode, failedSide = '', failedStep = '', clientId = '', appId = '' }: ProblemKey): string =>
  JSON.stringify([errorCode, failedSide, failedStep, clientId, appId]);

const placeOf = ({ clientId = '', appId = '', call = '' }: Sum): string => JSON.stringify([clientId, appId, call]);

const countOf = (sums: readonly Sum[]): number => add(sums, ({ count }) => count);
const openIn = (problems: readonly Problem[]): number => problems.filter(({ state }) => state === 'open').length;
/** A later failure may still go on, whatever went well. */
const seenBefore =
  (at: number) =>
  (sums: readonly Sum[]): boolean =>
    sums.every(({ lastAt }) => lastAt < at);

interface Around {
  readonly wentWell: ReadonlyMap<string, number>;
  readonly mutes: readonly Mute[];
  readonly now: number;
}

function problemOf(sums: readonly Sum[], { wentWell, mutes, now }: Around): Problem {
  const key = keyOf(sums[0]!);
  const mute = mutes.find((one) => keyText(one) === keyText(key));
  const lastAt = Math.max(...sums.map((sum) => sum.lastAt));
  const isOver = lastAt < now - hourMs && sums.every((sum) => (wentWell.get(placeOf(sum)) ?? 0) > sum.lastAt);
  return {
    ...key,
    state: mute ? 'muted' : isOver ? 'past' : 'open',
    count: countOf(sums),
    firstAt: Math.min(...sums.map((sum) => sum.firstAt)),
    lastAt,
    calls: [...new Set(sums.flatMap(({ call }) => (call === undefined ? [] : [call])))].sort(),
    mute,
  };
}

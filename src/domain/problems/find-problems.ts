import type { Exchange } from '../exchanges/exchange';
import type { ExchangeReader } from '../exchanges/ports';
import { add } from '../figures/added-up';
import type { FigureQuery, FigureReader, Sum } from '../figures/ports';
import { grouped } from '../shared/grouped';
import { type Verdict, verdictOfCall } from '../timeline/verdict';
import type { Mute, MutedProblemRepository, ProblemKey } from './ports';
import { pairName } from '../partners/integrations/pair-name';

/**
 * `open`: it still occurs; `past`: the same calls have succeeded since, and it did not occur for an hour; `muted`: an operator muted it.
 */
export type ProblemState = 'open' | 'past' | 'muted';

/** A group of failures with the same cause. */
export interface Problem extends ProblemKey {
  readonly state: ProblemState;
  readonly count: number;
  /** First and last occurrence in the range; milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly calls: readonly string[];
  /** The verdict on the last failure. Absent when its record is no longer stored. */
  readonly verdict?: Verdict | undefined;
  readonly exchangeId?: string | undefined;
  readonly mute?: Mute | undefined;
}

interface Deps {
  readonly figures: FigureReader;
  readonly exchanges: Pick<ExchangeReader, 'failuresAt'>;
  readonly mutes: Pick<MutedProblemRepository, 'list'>;
}

/** Maximum number of problems listed, the most frequent ones. */
const maxListed = 50;
/** Maximum number of causes examined, the most frequent ones, in batches of `atOnce`, until enough problems are found. */
const maxExamined = 1000;
const atOnce = 100;
const hourMs = 3_600_000;

/** Groups the failures of a range by cause: error code, side, step and pair. */
export class FindProblems {
  constructor(private readonly deps: Deps) {}

  /** Sorted by state, open ones first, then by count. */
  async execute(query: FigureQuery, now: number): Promise<readonly Problem[]> {
    const failed = { ...query, hasFailed: true };
    const [sums, mutes] = await Promise.all([this.deps.figures.sums(failed, ['pair', 'call', 'ending']), this.deps.mutes.list()]);
    const causes = [...grouped(sums, (sum) => keyText(keyOf(sum))).values()].sort((a, b) => countOf(b) - countOf(a));
    const problems: Problem[] = [];
    for (let from = 0; from < Math.min(causes.length, maxExamined) && openIn(problems) < maxListed; from += atOnce) {
      const some = causes.slice(from, from + atOnce);
      const wentWell = await this.lastSuccesses(query, some.filter(seenBefore(now - hourMs)));
      problems.push(...some.map((own) => problemOf(own, { wentWell, mutes, now })));
    }
    const first = problems.sort((a, b) => rank[a.state] - rank[b.state] || b.count - a.count).slice(0, maxListed);
    return this.explained(first);
  }

  /** The last success of the failed calls, by `callKeyOf`. */
  private async lastSuccesses(query: FigureQuery, causes: readonly (readonly Sum[])[]): Promise<ReadonlyMap<string, number>> {
    if (causes.length === 0) return new Map();
    const pairs = [...grouped(causes.flat(), pairName).values()].map((own) => {
      const { clientId = '', appId = '' } = own[0]!;
      return { clientId, appId };
    });
    const sums = await this.deps.figures.sums({ ...query, pairs, hasFailed: false }, ['pair', 'call']);
    return new Map(sums.map((sum) => [callKeyOf(sum), sum.lastAt]));
  }

  private async explained(problems: readonly Problem[]): Promise<readonly Problem[]> {
    const keys = problems.map(({ errorCode, failedSide, failedStep, clientId, appId, lastAt }) => {
      return { errorCode: errorCode === '' ? undefined : errorCode, failedSide, failedStep, clientId, appId, at: lastAt };
    });
    const found = await this.deps.exchanges.failuresAt(keys);
    const lastOf = new Map(found.map((exchange) => [keyText(keyOf(exchange)), exchange]));
    return problems.map((problem) => {
      const last = lastOf.get(keyText(problem));
      return last ? { ...problem, verdict: verdictOfCall(last), exchangeId: last.id } : problem;
    });
  }
}

const rank: Readonly<Record<ProblemState, number>> = { open: 0, past: 1, muted: 2 };

const keyOf = ({ errorCode = '', failedSide, failedStep, clientId, appId }: Sum | Exchange): ProblemKey => ({
  errorCode,
  failedSide,
  failedStep,
  clientId,
  appId,
});

/** Returns the same text for equal keys. */
export const keyText = ({ errorCode, failedSide = '', failedStep = '', clientId = '', appId = '' }: ProblemKey): string =>
  JSON.stringify([errorCode, failedSide, failedStep, clientId, appId]);

const callKeyOf = ({ clientId = '', appId = '', call = '' }: Sum): string => JSON.stringify([clientId, appId, call]);

const countOf = (sums: readonly Sum[]): number => add(sums, ({ count }) => count);
const openIn = (problems: readonly Problem[]): number => problems.filter(({ state }) => state === 'open').length;
/** Only failures before this time can be over; for later ones no successes need to be read. */
const seenBefore =
  (at: number) =>
  (sums: readonly Sum[]): boolean =>
    sums.every(({ lastAt }) => lastAt < at);

interface ProblemContext {
  readonly wentWell: ReadonlyMap<string, number>;
  readonly mutes: readonly Mute[];
  readonly now: number;
}

function problemOf(sums: readonly Sum[], { wentWell, mutes, now }: ProblemContext): Problem {
  const key = keyOf(sums[0]!);
  const mute = mutes.find((one) => keyText(one) === keyText(key));
  const lastAt = Math.max(...sums.map((sum) => sum.lastAt));
  const isOver = lastAt < now - hourMs && sums.every((sum) => (wentWell.get(callKeyOf(sum)) ?? 0) > sum.lastAt);
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

import { NodeSignatureLab } from '../../../src/adapters/out/signing/signature-lab';
import { nodeSignatureText } from '../../../src/adapters/out/signing/signature-text';
import { workClock } from '../../../src/adapters/out/signing/explaining/work-clock';
import { TemplateSamples } from '../../../src/adapters/out/signing/samples/template-samples';
import { explainCase, type ExplainTools } from '../../../src/domain/credentials/explain/explain-case';
import type { Explanation } from '../../../src/domain/credentials/explain/explanation';
import { brokenRequests, type BrokenRequest } from './signature-corpus';

/** What the explainer makes of one broken request. */
export interface Outcome {
  readonly broken: BrokenRequest;
  readonly explanation: Explanation;
  readonly isRight: boolean;
  /** Milliseconds of processor time; the less of two where the first took a second: what collects garbage for the whole process counts in it. */
  readonly ms: number;
}

const tools: ExplainTools = {
  lab: new NodeSignatureLab(),
  signatureText: nodeSignatureText,
  work: workClock,
  samples: new TemplateSamples(),
};

const sorted = (codes: readonly string[]): string => [...codes].sort().join(' + ');

/** The cause that is ranked first, in the words of the corpus. */
const namedBy = ({ verdict, causes }: Explanation): string => sorted(verdict === 'explained' ? (causes[0]?.codes ?? []) : [verdict]);

/** Explains the corpus. `budgetMs`: for those that cannot be explained, so that nobody waits for what will not be found. */
export async function corpusOutcomes(budgetMs?: number): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const broken of brokenRequests()) {
    const isHopeless = budgetMs !== undefined && broken.expected.includes('unknown');
    const explain = () => timed(() => explainCase(broken.theCase, isHopeless ? { ...tools, budgetMs } : tools));
    const { result: explanation, ms } = await explain();
    const isRight = namedBy(explanation) === sorted(broken.expected);
    outcomes.push({ broken, explanation, isRight, ms: ms < 1000 ? ms : Math.min(ms, (await explain()).ms) });
  }
  return outcomes;
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  const began = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(began);
  return { result, ms: (user + system) / 1000 };
}

/** Hits by cause and algorithm, misses, and the slowest. */
export function corpusReport(outcomes: readonly Outcome[]): string {
  const hits = new Map<string, { right: number; all: number }>();
  for (const { broken, isRight } of outcomes) {
    const name = broken.expected.length > 1 ? `${broken.algorithm} two at once` : `${broken.algorithm} ${sorted(broken.expected)}`;
    const { right, all } = hits.get(name) ?? { right: 0, all: 0 };
    hits.set(name, { right: right + (isRight ? 1 : 0), all: all + 1 });
  }
  const slowest = [...outcomes].sort((a, b) => b.ms - a.ms).slice(0, 5);
  const missed = outcomes.filter(({ isRight }) => !isRight);
  return [
    `${String(outcomes.length - missed.length)} of ${String(outcomes.length)} right`,
    [...hits].map(([name, { right, all }]) => `${name} ${String(right)}/${String(all)}`).join(', '),
    ...missed.map(({ broken, explanation }) => `missed: ${broken.name} was called ${namedBy(explanation)}`),
    `slowest: ${slowest.map(({ broken, ms }) => `${broken.name} ${ms.toFixed(0)} ms`).join(', ')}`,
    '',
  ].join('\n');
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddedLatency, FigureReader, LatencyCall } from './figures';
import type { Delays } from '../load/load-driver';
import { chartOf } from './performance-chart';
import { callRows, peerRows, shareRows, table, targetRows } from './tables';
import { targetsOf } from './targets';

export const pageFile = join(__dirname, '../../../docs/performance.md');
export const chartFile = join(__dirname, '../../../docs/images/performance.svg');

const marks = ['<!-- figures -->', '<!-- end of figures -->'] as const;

/** The page with these figures instead of those that it had. */
export function pageWith(page: string, figures: FigureReader): string {
  const [start, end] = [page.indexOf(marks[0]), page.indexOf(marks[1])];
  if (start < 0 || end < start) throw new Error(`The page must have ${marks.join(' and ')}`);
  return `${page.slice(0, start)}${marks[0]}\n\n${figuresAsText(figures)}\n\n${page.slice(end)}`;
}

/** Writes the page and its chart. */
export function writePage(figures: FigureReader): void {
  writeFileSync(chartFile, chartOf(figures));
  writeFileSync(pageFile, pageWith(readFileSync(pageFile, 'utf8'), figures));
}

const busy =
  'The machine had other work during this run. Processor time is somewhat too high for all alike; throughput and latencies say little.';

/** What stands between the two marks of the page. */
export function figuresAsText(figures: FigureReader): string {
  const parts = [
    verdict(figures),
    table(targetRows(figures)),
    '![Processor time of each call](images/performance.svg)',
    ...callsText(figures),
    ...profileText(figures),
  ];
  return [...parts, '## The other runs', ...otherRuns(figures)].join('\n\n');
}

function verdict(figures: FigureReader): string {
  const all = targetsOf(figures);
  const count = (met: boolean | undefined): number => all.filter((target) => target.met === met).length;
  return `Of ${all.length} targets: met ${count(true)}, missed ${count(false)}, not measured ${count(undefined)}.`;
}

function callsText(figures: FigureReader): string[] {
  const { calls, statements } = figures;
  if (!calls) return [];
  const { machine, rounds, seconds, connections, load, day } = calls;
  const { cpu, cores, memoryGb, system, node, postgres, loadBefore } = machine;
  return [
    '## Every call',
    `${day}: ${cores} × ${cpu}, ${memoryGb} GB, ${system}, Node ${node}, Postgres ${postgres}. Load of the machine before the run: ` +
      `${loadBefore.toFixed(1)}. ${connections} connections by ${load}, medians of ${rounds} rounds of ${seconds} s.` +
      (statements ? ` Statements counted on ${statements.day}.` : ''),
    ...(loadBefore > cores / 2 ? [busy] : []),
    table(callRows(figures)),
    '## Every call at the peers',
    table(peerRows(figures)),
  ];
}

function profileText({ profile }: FigureReader): string[] {
  if (!profile) return [];
  const { day, seconds, shares } = profile;
  return [
    '## Where the time of a connect goes',
    `${day}: the event loop's thread in ${seconds} s of connects with Basic at full load, by whose code ran; what is built in counts with who called it.`,
    table(shareRows(shares)),
    '![Flame graph of connects with Basic](images/connect-flame.svg)',
  ];
}

const cpu = ({ cpuMs }: { cpuMs: number }): string => `${cpuMs.toFixed(3)} ms`;

/** Further measurements, in words. */
export function otherRuns({ latency, growth, memory, workers, start }: FigureReader): string[] {
  const lines: string[] = [];
  if (latency) lines.push(...latencyLines(latency));
  if (workers) lines.push(workersLine(workers));
  if (start) {
    const [postgres, embedded, demo] = [start.postgres, start.embedded, start.demo].map((took) => `${(took / 1000).toFixed(2)} s`);
    lines.push(`- **Start to ready** (${start.day}): Postgres ${postgres}, embedded ${embedded}; the demo from start to end ${demo}.`);
  }
  if (growth) {
    const rows = Object.entries(growth.rows).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
    const costs = `empty ${cpu(growth.empty)}, grown ${cpu(growth.grown)}, calls of all its partners in turn ${cpu(growth.spread)}`;
    const { grown, spread } = growth.times;
    const times = `turn by turn ${grown.toFixed(2)} and ${spread.toFixed(2)} times that of an empty one`;
    lines.push(`- **Growth** (${growth.day}): ${rows.join(', ')}. CPU a connect: ${costs}; ${times}.`);
  }
  if (memory) {
    const { minutes, perSecond, maxMb, lastMb, mbAMinute, day } = memory;
    const sizes = `${lastMb.toFixed(0)} MB at the end, at most ${maxMb.toFixed(0)} MB, ${mbAMinute.toFixed(2)} MB a minute over the second half`;
    lines.push(`- **Memory** (${day}): ${minutes} minutes of ${perSecond.toFixed(0)} connects a second: ${sizes}.`);
  }
  return [lines.length > 0 ? lines.join('\n') : 'None yet.'];
}

function latencyLines({ day, ...calls }: NonNullable<FigureReader['latency']>): string[] {
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  return (Object.entries(calls) as [LatencyCall, AddedLatency][]).map(([call, { perSecond, direct, through, added, seconds, stolen }]) => {
    const both = (of: keyof Delays): string =>
      `${of} ${ms(direct[of])} at the partner, ${ms(through[of])} through the service, ${ms(added[of])} added`;
    const counted = `Medians of ${seconds} seconds, in which others had ${(stolen * 100).toFixed(1)} % of the machine's processors.`;
    return `- **Latency of ${call}** (${day}): ${perSecond} calls a second, half of what can be done: ${both('p50')}; ${both('p99')}. ${counted}`;
  });
}

function workersLine({ day, perSecond, one, two, full }: NonNullable<FigureReader['workers']>): string {
  const both = (of: typeof full): string => `${cpu(of.two)}, with one ${cpu(of.one)}`;
  const most = `under full load, where one process has larger groups and both share two cores with the load and the partners, ${both(full)}`;
  return `- **\`WORKERS=2\`** (${day}): CPU a request with ${perSecond} calls a second for each process ${both({ one, two })}; ${most}.`;
}

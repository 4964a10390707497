import type { FigureReader, StatementCount } from './figures';
import { targetsOf } from './targets';

type Rows = readonly (readonly string[])[];

const leastShare = 0.005;

const fixed = (value: number | undefined, digits: number): string => (value === undefined ? '' : value.toFixed(digits));

/** The figures of each call of the service, beside its twin, the head first. */
export function callRows({ calls, statements }: FigureReader): Rows {
  const head = [
    'Call',
    'Credential',
    'CPU ms',
    '× tuned',
    'Requests/s',
    '× tuned',
    'p50 ms',
    'p99 ms',
    'Database ms',
    'Statements',
    'Heap KB',
    'Errors',
  ];
  const ofService = calls?.all.filter(({ peer }) => peer === undefined) ?? [];
  const rows = ofService.map(({ name, credential, perSecond, p50, p99, cpuMs, databaseMs, allocatedKb, errors, against }) => [
    ...[name, credential, fixed(cpuMs, 3), fixed(against?.tuned?.cpu, 2), fixed(perSecond, 0), fixed(against?.tuned?.perSecond, 2)],
    ...[fixed(p50, 1), fixed(p99, 1), fixed(databaseMs, 3), counted(statements?.of[name]), fixed(allocatedKb, 0), String(errors)],
  ]);
  return [head, ...rows];
}

/** Statements of a call that comes alone, and of one among many. */
const counted = (count: StatementCount | undefined): string => (count ? `${fixed(count.alone, 1)} / ${fixed(count.together, 1)}` : '');

/** The figures of each call at a peer, the head first. */
export function peerRows({ calls }: FigureReader): Rows {
  const head = ['Call', 'Peer', 'CPU ms', 'Requests/s', 'p50 ms', 'p99 ms', 'Database ms', 'Errors'];
  const rows = (calls?.all ?? []).flatMap(({ name, peer, perSecond, p50, p99, cpuMs, databaseMs, errors }) =>
    peer === undefined
      ? []
      : [[name, peer, fixed(cpuMs, 3), fixed(perSecond, 0), fixed(p50, 1), fixed(p99, 1), fixed(databaseMs, 3), String(errors)]],
  );
  return [head, ...rows];
}

/** Every target with its figure, the head first. */
export function targetRows(figures: FigureReader): Rows {
  const rows = targetsOf(figures).map(({ what, must, aim = '', found = 'not measured', met }) => {
    return [what, must, aim, found, met === undefined ? '' : met ? 'met' : '**not met**'];
  });
  return [['What', 'Must', 'Aim', 'Found', ''], ...rows];
}

/** Whose code took how much of the time, the head first; what took little is one row. */
export function shareRows(shares: Readonly<Record<string, number>>): Rows {
  const all = Object.entries(shares);
  const shown = all.filter(([, share]) => share >= leastShare);
  const rest = all.reduce((sum, [, share]) => sum + (share < leastShare ? share : 0), 0);
  const percent = (share: number): string => `${fixed(share * 100, 1)} %`;
  return [['Whose code', 'Share'], ...shown.map(([name, share]) => [name, percent(share)]), ['others', percent(rest)]];
}

/** A Markdown table, its columns as wide as their widest cell, as the formatter has it; good to read on a terminal, too. */
export function table(rows: Rows): string {
  const widths = rows[0]?.map((_cell, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

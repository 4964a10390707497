import { styleText } from 'node:util';

/** One call of the walk: who called whom, and whether it went as it should. */
export interface Leg {
  readonly from: string;
  readonly to: string;
  /** Method and path. */
  readonly call: string;
  /** The HTTP status; absent: no answer. */
  readonly status: number | undefined;
  readonly ms: number;
  /** The problem; absent: none. */
  readonly problem?: string;
  /** Part of the call above it. */
  readonly inner: boolean;
}

const columns = ['#', 'who calls whom', 'call', 'status', 'ms', ''] as const;
const rightAligned = new Set([0, 3, 4]);

/** The legs as lines of a table, each with its verdict; `colour` only where the reader's terminal takes it. */
export function tableOf(legs: readonly Leg[], colour: boolean): string[] {
  const rows = legs.map(cellsOf);
  const widths = columns.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (rightAligned.has(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  const paint = (text: string, ok: boolean): string => (colour ? styleText(ok ? 'green' : 'red', text, { validateStream: false }) : text);
  return [
    line(columns),
    widths
      .map((width) => '─'.repeat(width))
      .join('  ')
      .trimEnd(),
    ...rows.map((row, i) => {
      const problem = legs[i]?.problem;
      const verdict = problem === undefined ? '✓' : `✗ ${problem}`;
      return `${line(row)}  ${paint(verdict, problem === undefined)}`;
    }),
  ];
}

function cellsOf({ from, to, call, status, ms, inner }: Leg, i: number): string[] {
  return [String(i + 1), `${inner ? '  ' : ''}${from} → ${to}`, call, status === undefined ? '–' : String(status), ms.toFixed(1)];
}

/** Whether standard output is a terminal that shows colours, and nobody has set NO_COLOR. */
export const takesColour = (): boolean => process.stdout.isTTY && process.stdout.hasColors();

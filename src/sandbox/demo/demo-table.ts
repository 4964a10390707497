import { styleText } from 'node:util';

/** One call of the demo: caller, receiver, and whether it went as expected. */
export interface Leg {
  readonly from: string;
  readonly to: string;
  /** Method and path. */
  readonly call: string;
  /** The HTTP status; absent when there was no answer. */
  readonly status: number | undefined;
  readonly ms: number;
  /** Absent when there was no problem. */
  readonly problem?: string;
  /** Whether the call above caused this one. */
  readonly inner: boolean;
}

const columns = ['#', 'who calls whom', 'call', 'status', 'ms', ''] as const;
const rightAligned = new Set([0, 3, 4]);

/** Formats the legs as a table with a verdict per line. Set `colour` only for a terminal that supports it. */
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

/** Whether standard output is a terminal with colours, and NO_COLOR is not set. */
export const takesColour = (): boolean => process.stdout.isTTY && process.stdout.hasColors();

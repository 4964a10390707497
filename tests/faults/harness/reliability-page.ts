import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figuresFile, type Figure } from './fault-run';
import { promises, type PromiseId } from './promises';

export const pageFile = join(__dirname, '../../../docs/reliability.md');

/** Every figure that long runs have left, in the order of the runs. */
export function keptFigures(): Figure[] {
  const lines = existsSync(figuresFile) ? readFileSync(figuresFile, 'utf8').split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Figure);
}

const ids = Object.keys(promises) as PromiseId[];

/** What stands between the two marks of the page: the promises, the last figure of each, those before, and how each is put to the test. */
export function figuresAsText(figures: readonly Figure[]): string {
  const byId = new Map(figures.map((figure) => [figure.id, figure]));
  const earlier = figures.filter((figure) => byId.get(figure.id) !== figure);
  const before = earlier.map((figure) => [figure.id, countsOf(figure), runOf(figure)]);
  const rows = ids.map((id) => {
    const { promise, target } = promises[id];
    const figure = byId.get(id);
    return [id, promise, target, figure ? countsOf(figure) : 'no long run yet', figure ? runOf(figure) : ''];
  });
  const tests = ids.map((id) => `- **${id}**: ${promises[id].test}.`);
  return [
    ...table([['', 'Promise', 'Target', 'Counted', 'Run'], ...rows]),
    ...['', '## Runs before the last', ''],
    ...(before.length > 0 ? table([['', 'Counted', 'Run'], ...before]) : ['None is kept.']),
    ...['', '## How each is put to the test', '', ...tests],
  ].join('\n');
}

const marks = ['<!-- figures -->', '<!-- end of figures -->'] as const;

/** The page with these figures. */
export function pageWith(page: string, text: string): string {
  const [start, end] = [page.indexOf(marks[0]), page.indexOf(marks[1])];
  if (start < 0 || end < start) throw new Error(`The page must have ${marks.join(' and ')}`);
  return `${page.slice(0, start)}${marks[0]}\n\n${text}\n\n${page.slice(end)}`;
}

/** `stillOwed` reads `still pending`. */
const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const countsOf = ({ counts }: Figure): string =>
  Object.entries(counts)
    .map(([name, value]) => `${words(name)} ${value.toLocaleString('en')}`)
    .join(', ');

const runOf = ({ day, seconds, seed }: Figure): string => `${day}, ${seconds.toLocaleString('en')} s, seed ${seed}`;

/** A Markdown table, its columns as wide as their widest cell, as the formatter has it. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_cell, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}

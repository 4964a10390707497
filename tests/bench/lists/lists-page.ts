import { table } from '../page/tables';
import type { ListCost } from './measure-lists';

const marks = ['<!-- lists -->', '<!-- end of lists -->'] as const;

/** Statements and milliseconds of processor time that a call of a list may take: the service and its database sessions together. */
export const listBudget = { statements: 3, cpuMs: 5 } as const;

const cpuOf = ({ serviceMs, databaseMs }: ListCost): number => serviceMs + databaseMs;
const msText = (ms: number): string => (Number.isFinite(ms) ? ms.toFixed(1) : 'no answer');
const isWithin = (cost: ListCost): boolean => cost.statements <= listBudget.statements && cpuOf(cost) <= listBudget.cpuMs;

/** Each list as each asked for it, the head first. */
export function costRows(costs: readonly ListCost[]): string[][] {
  const rows = costs.map((cost) => {
    const { list, who, what, rows: found, statements, serviceMs, databaseMs } = cost;
    const figures = [serviceMs, databaseMs, cpuOf(cost)].map(msText);
    return [list, who, what, String(found), String(statements), ...figures, isWithin(cost) ? '' : '**above**'];
  });
  return [['List', 'Who', 'What', 'Rows', 'Statements', 'Service ms', 'Database ms', 'CPU ms', ''], ...rows];
}

/** One row for each list: its first page, a page in its middle, and the filter that took most, whoever asked. */
export function summaryRows(costs: readonly ListCost[]): string[][] {
  const rows = [...new Set(costs.map(({ list }) => list))].map((list) => {
    const own = costs.filter((cost) => cost.list === list);
    const mostOf = (some: readonly ListCost[]): ListCost | undefined => [...some].sort((a, b) => cpuOf(b) - cpuOf(a))[0];
    const [first, deep] = ['first page', 'deep page'].map((what) => mostOf(own.filter((cost) => cost.what === what)));
    const worst = mostOf(own.filter(({ what }) => !what.endsWith(' page')));
    const ms = (cost: ListCost | undefined): string => (cost ? msText(cpuOf(cost)) : '');
    const named = worst ? `${ms(worst)} (${worst.what}, ${worst.who})` : '';
    const statements = String(Math.max(...own.map((cost) => cost.statements)));
    return [`\`/${list}\``, String(own.length), statements, ms(first), ms(deep), named, own.every(isWithin) ? 'within' : '**above**'];
  });
  return [['List', 'Asked in ways', 'Statements', 'First page, ms', 'Deep page, ms', 'Filter that takes most, ms', ''], ...rows];
}

/** What stands between the two marks of the page. */
export function listsAsText(costs: readonly ListCost[], { rows, postgres }: { readonly rows: number; readonly postgres: string }): string {
  const within = costs.filter(isWithin).length;
  const day = new Date().toISOString().slice(0, 10);
  return [
    `${day}: ${rows.toLocaleString('en')} rows of each record on Postgres ${postgres}, 10,000 partners; 50 rows a page. Each list was asked for by the ` +
      `operator and by partners with much and with little, with every filter. At most ${listBudget.statements} statements and ${listBudget.cpuMs} ms of ` +
      `processor time, service and database sessions together, a session's own look-up included: ${within} of ${costs.length} ways are within.`,
    table(summaryRows(costs)),
  ].join('\n\n');
}

/** The page with this text between the marks. Throws where it has no marks. */
export function pageWithLists(page: string, text: string): string {
  const [start, end] = [page.indexOf(marks[0]), page.indexOf(marks[1])];
  if (start < 0 || end < start) throw new Error(`The page must have ${marks.join(' and ')}`);
  return `${page.slice(0, start)}${marks[0]}\n\n${text}\n\n${page.slice(end)}`;
}

/** Maximum rows of one export. */
export const maxExported = 10_000;

type Cell = string | number | undefined | null;

/**
 * Rows as CSV (RFC 4180) for spreadsheets: with a byte order mark, and an apostrophe before a cell that a spreadsheet would run as a
 * formula.
 */
export const csvText = (heads: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${[heads, ...rows].map((cells) => cells.map(cellText).join(',')).join('\r\n')}\r\n`;

function cellText(cell: Cell): string {
  const text = cell === undefined || cell === null ? '' : String(cell);
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Reads all pages up to `maxRows` rows. The result also contains whether it stopped before the end. */
export async function readAll<Row>(
  read: (cursor: string | undefined) => Promise<{ readonly data: readonly Row[]; readonly next_cursor: string | null }>,
  maxRows: number = maxExported,
): Promise<{ rows: readonly Row[]; isCut: boolean }> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    rows.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < maxRows);
  return { rows: rows.slice(0, maxRows), isCut: cursor !== undefined || rows.length > maxRows };
}

import type { ReactNode } from 'react';

/** A column of a record list, as data. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly show: (row: Row) => ReactNode;
  /** What the CSV file holds; absent: the column is not in it. */
  readonly text?: (row: Row) => string | number | undefined | null;
  /** Numbers stand right, so that their digits align. */
  readonly align?: 'right';
  /** Not shown until it is chosen. */
  readonly hidden?: boolean;
  /** Where a narrow screen's card has it: at its `head`, at its `side` on the right, on a line of its own (the default), or `nowhere`. */
  readonly card?: 'head' | 'side' | 'line' | 'nowhere';
}

/** The columns that are shown: those that were chosen, or those that are not hidden from the start. */
export const shownColumns = <Row>(columns: readonly Column<Row>[], chosen: readonly string[] | undefined): readonly Column<Row>[] =>
  columns.filter(({ id, hidden = false }) => (chosen ? chosen.includes(id) : !hidden));

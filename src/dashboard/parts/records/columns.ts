import type { ReactNode } from 'react';

/** A column of a record list. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly show: (row: Row) => ReactNode;
  /** Value in the CSV file. Absent when the column is not exported. */
  readonly text?: (row: Row) => string | number | undefined | null;
  /** Right-aligns numbers, so that their digits line up. */
  readonly align?: 'right';
  /** Hidden by default. */
  readonly hidden?: boolean;
  /** Position on the card of a narrow screen: `head`, `side` (right), `line` (a line of its own, the default), or `nowhere`. */
  readonly card?: 'head' | 'side' | 'line' | 'nowhere';
}

/** The visible columns: the chosen ones, or the default ones. */
export const shownColumns = <Row>(columns: readonly Column<Row>[], chosen: readonly string[] | undefined): readonly Column<Row>[] =>
  columns.filter(({ id, hidden = false }) => (chosen ? chosen.includes(id) : !hidden));

import { Table } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Column } from './columns';
import styles from './records.module.css';

export interface RowsProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly linkOf: ((row: Row) => string | undefined) | undefined;
  readonly actionsOf: ((row: Row) => ReactNode) | undefined;
  /** Index of the row with the keyboard cursor; -1 for none. */
  readonly active: number;
}

/** A row, and whether it has the keyboard cursor. */
export interface RowProps<Row> extends Pick<RowsProps<Row>, 'columns' | 'linkOf' | 'actionsOf'> {
  readonly row: Row;
  readonly isActive: boolean;
}

/** Opens a row's record on a click, except on text selections and on interactive elements. */
export function useRowClick(to: string | undefined): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const isTaken = (event.target as Element).closest('a, button, input, label, [role="menuitem"]') !== null;
    if (to !== undefined && !isTaken && window.getSelection()?.type !== 'Range') void navigate(to);
  };
}

/** A list as a table that scrolls horizontally when it is too wide. */
export function RecordTable<Row>({ title, rows, columns, idOf, active, ...rest }: RowsProps<Row>) {
  return (
    <Table.ScrollContainer
      minWidth={640}
      className={styles.frame}
      tabIndex={0}
      role="region"
      aria-label={title}
      scrollAreaProps={{ offsetScrollbars: 'present' }}
    >
      <Table highlightOnHover verticalSpacing={8} horizontalSpacing="sm" className={styles.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ id, title: head, align }) => (
              <Table.Th key={id} ta={align ?? 'left'} scope="col">
                {head}
              </Table.Th>
            ))}
            {rest.actionsOf && (
              <Table.Th>
                <span className={styles.unseen}>Actions</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, i) => (
            <TableRow key={idOf(row)} row={row} columns={columns} isActive={i === active} {...rest} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function TableRow<Row>({ row, columns, linkOf, actionsOf, isActive }: RowProps<Row>) {
  const to = linkOf?.(row);
  const onClick = useRowClick(to);
  return (
    <Table.Tr data-active={isActive || undefined} data-linked={to !== undefined || undefined} onClick={onClick}>
      {columns.map((column, index) => (
        <Table.Td key={column.id} ta={column.align ?? 'left'}>
          {index === 0 && to !== undefined ? <RowLink to={to}>{column.show(row)}</RowLink> : column.show(row)}
        </Table.Td>
      ))}
      {actionsOf && <Table.Td className={styles.actions}>{actionsOf(row)}</Table.Td>}
    </Table.Tr>
  );
}

/** The first cell is a link, for the keyboard and for opening the record in a new tab. */
export function RowLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link to={to} className={styles.link ?? ''}>
      {children}
    </Link>
  );
}

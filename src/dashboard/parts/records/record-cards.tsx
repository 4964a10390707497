import { Group, Paper, Stack } from '@mantine/core';
import type { Column } from './columns';
import { RowLink, useRowClick, type RowProps, type RowsProps } from './record-table';
import styles from './records.module.css';

/** The rows of a list as cards, for narrow screens. */
export function RecordCards<Row>({ title, rows, idOf, active, ...rest }: RowsProps<Row>) {
  return (
    <Stack gap="xs" component="ul" className={styles.cards ?? ''} aria-label={title}>
      {rows.map((row, i) => (
        <Card key={idOf(row)} row={row} isActive={i === active} {...rest} />
      ))}
    </Stack>
  );
}

function Card<Row>({ row, columns, linkOf, actionsOf, isActive }: RowProps<Row>) {
  const to = linkOf?.(row);
  const onClick = useRowClick(to);
  const at = (part: Column<Row>['card']) => columns.filter((column, i) => (column.card ?? (i === 0 ? 'head' : 'line')) === part);
  const head = at('head').map((column) => <div key={column.id}>{column.show(row)}</div>);
  return (
    <Paper withBorder component="li" p="sm" data-active={isActive || undefined} className={styles.card ?? ''} onClick={onClick}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb={6}>
        <div className={styles.head}>{to === undefined ? head : <RowLink to={to}>{head}</RowLink>}</div>
        <Group gap={6} justify="flex-end">
          {at('side').map((column) => (
            <div key={column.id}>{column.show(row)}</div>
          ))}
        </Group>
      </Group>
      <dl className={styles.lines}>
        {at('line').map(({ id, title: name, show }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>{show(row)}</dd>
          </div>
        ))}
      </dl>
      {actionsOf && <div>{actionsOf(row)}</div>}
    </Paper>
  );
}

import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

export interface ChartTable {
  /** Heading of the first column, such as "Time". */
  readonly first: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A chart's data as a table. */
export function DataTable({ title, table: { first, heads, rows } }: { readonly title: string; readonly table: ChartTable }) {
  return (
    <Table.ScrollContainer minWidth={280} mah={280} tabIndex={0} role="region" aria-label={`${title}, table`}>
      <Table stickyHeader fz="sm" verticalSpacing={4} style={{ fontVariantNumeric: 'tabular-nums' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{first}</Table.Th>
            {heads.map((head) => (
              <Table.Th key={head} scope="col" ta="right">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells, row) => (
            <Table.Tr key={row}>
              {cells.map((cell, i) => (
                <Table.Td key={heads[i - 1] ?? first} ta={i === 0 ? 'left' : 'right'}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

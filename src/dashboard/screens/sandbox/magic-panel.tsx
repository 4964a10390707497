import { Table, Text } from '@mantine/core';
import { Panel } from '../../parts/panel';

interface MagicPanelProps {
  readonly values: readonly { readonly cents: string; readonly name: string; readonly meaning: string }[];
}

/** The effects of an amount's cents on a payment. */
export function MagicPanel({ values }: MagicPanelProps) {
  return (
    <Panel title="Magic values" lead="The cents of an amount decide how its payment goes; any others go well" flush>
      <Table verticalSpacing="xs" horizontalSpacing="md" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Amount ends in</Table.Th>
            <Table.Th>What happens</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {values.map(({ cents, name, meaning }) => (
            <Table.Tr key={cents}>
              <Table.Td>
                <Text span ff="monospace" fw={600}>
                  {cents}
                </Text>
              </Table.Td>
              <Table.Td>
                <Text span fw={500} size="sm" tt="capitalize">
                  {name}
                </Text>
                <Text size="sm" c="dimmed">
                  {meaning}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

import { Code, Table, Text } from '@mantine/core';
import type { Change } from './changes';

/** Compares the record before and after, member by member. */
export function ChangeTable({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return <Text c="dimmed">Nothing of the record itself was changed.</Text>;
  return (
    <Table fz="sm" verticalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Member</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ name, before, after }) => (
          <Table.Tr key={name}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
            <Value text={before} />
            <Value text={after} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Value({ text }: { readonly text: string | undefined }) {
  return (
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      {text === undefined ? (
        <Text span c="dimmed" size="sm">
          –
        </Text>
      ) : (
        <Code>{text}</Code>
      )}
    </Table.Td>
  );
}

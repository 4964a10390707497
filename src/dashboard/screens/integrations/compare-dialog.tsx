import { Modal, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { StateBadge } from '../../parts/state-badge';
import type { Integration } from './integration';

interface CompareDialogProps {
  readonly integration: Integration | undefined;
  readonly others: readonly Integration[];
  readonly onClose: () => void;
}

/** Two integrations side by side. */
export function CompareDialog({ integration, others, onClose }: CompareDialogProps) {
  return (
    <Modal
      opened={integration !== undefined}
      onClose={onClose}
      title="Compare integrations"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {integration && <Comparison integration={integration} others={others.filter(({ id }) => id !== integration.id)} />}
    </Modal>
  );
}

const nameOf = ({ client_id, app_id }: Integration): string => `${client_id} × ${app_id}`;

function Comparison({ integration, others }: Omit<CompareDialogProps, 'onClose' | 'integration'> & { readonly integration: Integration }) {
  const [otherId, setOtherId] = useState(others[0]?.id ?? '');
  const other = others.find(({ id }) => id === otherId);
  if (!other) return <Text size="sm">There is no other integration to compare {nameOf(integration)} with.</Text>;
  return (
    <Stack gap="sm">
      <NativeSelect
        label={`Compare ${nameOf(integration)} with`}
        value={otherId}
        onChange={({ currentTarget }) => setOtherId(currentTarget.value)}
        data={others.map((one) => ({ value: one.id, label: nameOf(one) }))}
      />
      <DifferenceTable heads={['This one', 'The other']} before={settingsOf(integration)} after={settingsOf(other)} />
    </Stack>
  );
}

const settingsOf = ({ client_id: _c, app_id: _a, id: _i, proposal: _p, ...settings }: Integration): Readonly<Record<string, unknown>> =>
  settings;

interface DifferenceTableProps {
  readonly heads: readonly [string, string];
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Two sets of settings side by side; differences are marked. */
export function DifferenceTable({ heads, before, after }: DifferenceTableProps) {
  const [left, right] = [flat(before), flat(after)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((name) => name !== 'version').sort();
  return (
    <Table.ScrollContainer minWidth={360}>
      <Table fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Setting</Table.Th>
            <Table.Th>{heads[0]}</Table.Th>
            <Table.Th>{heads[1]}</Table.Th>
            <Table.Th aria-label="Difference" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Td>{name.replaceAll('_', ' ')}</Table.Td>
              <Table.Td ff="monospace">{left[name] ?? '–'}</Table.Td>
              <Table.Td ff="monospace">{right[name] ?? '–'}</Table.Td>
              <Table.Td>{left[name] !== right[name] && <StateBadge tone="warn">differs</StateBadge>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Flattens nested members to text by path. */
function flat(settings: Readonly<Record<string, unknown>>, within = ''): Record<string, string> {
  const parts = Object.entries(settings).map(([name, value]): Record<string, string> => {
    const path = within === '' ? name : `${within}.${name}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return flat(value as Record<string, unknown>, path);
    return { [path]: typeof value === 'string' ? value : JSON.stringify(value) };
  });
  return Object.assign({}, ...parts) as Record<string, string>;
}

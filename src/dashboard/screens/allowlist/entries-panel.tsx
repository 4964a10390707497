import { ActionIcon, Button, Group, Table, Text, Tooltip } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmAction } from '../../parts/confirm-action';
import { EmptyState } from '../../parts/empty-state';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { Allowlist, Entry } from './allowlist';
import { EntryDialog } from './entry-dialog';
import { useAllowlistChange } from './use-allowlist';

interface OfList {
  readonly partner: PartnerRef;
  readonly list: Allowlist;
}

/** The entries with their hits; adds, labels and removes them. */
export function EntriesPanel({ partner, list }: OfList) {
  const [edited, setEdited] = useState<Entry | 'new'>();
  const [removed, setRemoved] = useState<Entry>();
  return (
    <Panel
      flush
      title="Addresses and networks"
      lead="Hits are calls of the last 30 days that came from there."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} variant="default" onClick={() => setEdited('new')}>
          Add
        </Button>
      }
    >
      {list.entries.length === 0 ? (
        <EmptyState title="No entries" actions={<Button onClick={() => setEdited('new')}>Add an address</Button>}>
          Add the addresses that this partner&apos;s back end calls from: single ones, or networks such as 198.51.100.0/24.
        </EmptyState>
      ) : (
        <EntryTable list={list} onEdit={setEdited} onRemove={setRemoved} />
      )}
      {edited !== undefined && <EntryDialog partner={partner} list={list} entry={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveDialog partner={partner} list={list} entry={removed} onClose={() => setRemoved(undefined)} />}
    </Panel>
  );
}

interface EntryTableProps {
  readonly list: Allowlist;
  readonly onEdit: (entry: Entry) => void;
  readonly onRemove: (entry: Entry) => void;
}

function EntryTable({ list, onEdit, onRemove }: EntryTableProps) {
  return (
    <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Entries' } }}>
      <Table verticalSpacing="xs" horizontalSpacing="md" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Entry</Table.Th>
            <Table.Th>Label</Table.Th>
            <Table.Th ta="right">Hits, 30 d</Table.Th>
            <Table.Th>Last hit</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.entries.map((entry) => (
            <EntryRow key={entry.entry} entry={entry} onEdit={onEdit} onRemove={onRemove} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function EntryRow({ entry, onEdit, onRemove }: Omit<EntryTableProps, 'list'> & { readonly entry: Entry }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Text ff="monospace" fz="sm">
            {entry.entry}
          </Text>
          {entry.wide && <StateBadge tone="warn">Very large</StateBadge>}
        </Group>
      </Table.Td>
      <Table.Td>{entry.label ?? <Text span inherit c="dimmed" children="–" />}</Table.Td>
      <Table.Td ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {entry.hits.toLocaleString('en')}
      </Table.Td>
      <Table.Td>
        {entry.last_at === undefined ? <Text span inherit c="dimmed" children="never" /> : <TimeText at={entry.last_at} as="distance" />}
      </Table.Td>
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <RowButton label={`Name ${entry.entry}`} onClick={() => onEdit(entry)} children={<IconPencil size={16} />} />
          <RowButton label={`Remove ${entry.entry}`} onClick={() => onRemove(entry)} children={<IconTrash size={16} />} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function RowButton({
  label,
  onClick,
  children,
}: {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}) {
  return (
    <Tooltip label={label} withArrow>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function RemoveDialog({ partner, list, entry, onClose }: OfList & { readonly entry: Entry; readonly onClose: () => void }) {
  const { mutateAsync } = useAllowlistChange(partner, `${entry.entry} is off the list`);
  const addresses = list.entries.map((one) => one.entry).filter((one) => one !== entry.entry);
  return (
    <ConfirmAction
      opened
      danger
      onClose={onClose}
      title={`Remove ${entry.entry}?`}
      action="Remove"
      onConfirm={() => mutateAsync({ addresses, labels: { [entry.entry]: null } })}
    >
      {entry.hits > 0
        ? `${plural(entry.hits, 'call')} of the last 30 days came from there. While the list is on, the next ones are refused.`
        : 'No call of the last 30 days came from there.'}
    </ConfirmAction>
  );
}

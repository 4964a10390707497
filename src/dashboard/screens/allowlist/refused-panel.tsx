import { Anchor, Button, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Panel } from '../../parts/panel';
import { TimeText } from '../../parts/time-text';
import type { PartnerRef } from '../../parts/use-partner-choice';
import { type Allowlist, type Caller, otherAddresses } from './allowlist';
import { EntryDialog } from './entry-dialog';

/** Addresses that the list refused in the last day although their credentials were right. */
export function RefusedPanel({ partner, list }: { readonly partner: PartnerRef; readonly list: Allowlist }) {
  const [added, setAdded] = useState<string>();
  return (
    <Panel
      flush={list.refused.length > 0}
      title="Refused in the last 24 hours"
      lead="They had valid credentials and came from an address that is not on the list."
    >
      {list.refused.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody was refused for the address.
        </Text>
      ) : (
        <CallerTable
          name="Refused addresses"
          callers={list.refused}
          countTitle="Refused"
          countOf={({ refused }) => refused}
          onAdd={setAdded}
        />
      )}
      {added !== undefined && <EntryDialog partner={partner} list={list} entry={{ address: added }} onClose={() => setAdded(undefined)} />}
    </Panel>
  );
}

interface CallerTableProps {
  readonly name: string;
  readonly callers: readonly Caller[];
  readonly countTitle: string;
  readonly countOf: (caller: Caller) => number;
  readonly onAdd?: (address: string) => void;
}

/** Addresses with a count each, and a link to their last request. */
export function CallerTable({ name, callers, countTitle, countOf, onAdd }: CallerTableProps) {
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': name } }}>
      <Table verticalSpacing="xs" horizontalSpacing="md" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Address</Table.Th>
            <Table.Th ta="right">{countTitle}</Table.Th>
            <Table.Th>Last</Table.Th>
            <Table.Th>Request</Table.Th>
            {onAdd && <Table.Th aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {callers.map((caller) => (
            <Table.Tr key={caller.address}>
              <Table.Td ff="monospace">{caller.address === otherAddresses ? 'others, too many to list' : caller.address}</Table.Td>
              <Table.Td ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
                {countOf(caller).toLocaleString('en')}
              </Table.Td>
              <Table.Td>
                <TimeText at={caller.last_at} as="distance" />
              </Table.Td>
              <Table.Td>
                <Anchor component={Link} size="sm" to={`/requests?request_id=${encodeURIComponent(caller.last_request_id)}`}>
                  Show
                </Anchor>
              </Table.Td>
              {onAdd && <AddCell address={caller.address} onAdd={onAdd} />}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function AddCell({ address, onAdd }: { readonly address: string; readonly onAdd: (address: string) => void }) {
  return (
    <Table.Td ta="right">
      {address !== otherAddresses && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={`Add ${address}`}
          onClick={() => onAdd(address)}
        >
          Add
        </Button>
      )}
    </Table.Td>
  );
}

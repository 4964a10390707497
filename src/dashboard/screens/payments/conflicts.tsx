import { Box, Button, Table } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useSession } from '../../api/session';
import { ConfirmAction } from '../../parts/confirm-action';
import { Panel } from '../../parts/panel';
import { ShortId } from '../../parts/short-id';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { Disagreement, PaymentDetail } from './payment-model';
import { usePaymentActions } from './use-payment-actions';

const words = (name: string): string => name.replace('payment_', '').replaceAll('_', ' ');

/** Reports that contradict the accepted result, beside that result. Renders nothing without any. */
export function Conflicts({ payment }: { readonly payment: PaymentDetail }) {
  const { disagreements } = payment;
  if (disagreements.length === 0) return null;
  return (
    <Panel
      title="Reports that disagree"
      lead="The first final report counts. Reasons and attributes may tell of a user: only that they differ is shown."
      flush
    >
      <Box style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="Reports that disagree, table">
        <Table miw={560} verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th />
              <Table.Th>Taken</Table.Th>
              {disagreements.map(({ id, kind }) => (
                <Table.Th key={id}>{kind === 'conflict' ? 'Conflict' : 'Difference'}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Rows payment={payment} />
        </Table>
      </Box>
    </Panel>
  );
}

function Rows({ payment }: { readonly payment: PaymentDetail }) {
  const { result, disagreements } = payment;
  return (
    <Table.Tbody>
      <Line title="Status" cells={[result?.payment_status, ...disagreements.map((one) => one.payment_status)]} />
      <Line title="Differs in" cells={['–', ...disagreements.map(({ differs_in: names }) => names.map(words).join(', '))]} />
      <Line
        title="Reported"
        cells={[result?.at, ...disagreements.map(({ at }) => at)].map((at, i) => at && <TimeText key={i} at={at} as="whole" />)}
      />
      <Line
        title="Request"
        cells={[result?.request_id, ...disagreements.map((one) => one.request_id)].map(
          (id) => id && <ShortId key={id} id={id} what="request id" />,
        )}
      />
      <Line
        title="Looked into"
        cells={['–', ...disagreements.map((one) => <Resolution key={one.id} payment={payment} conflict={one} />)]}
      />
    </Table.Tbody>
  );
}

function Line({ title, cells }: { readonly title: string; readonly cells: readonly ReactNode[] }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{title}</Table.Th>
      {cells.map((cell, i) => (
        <Table.Td key={i}>{cell}</Table.Td>
      ))}
    </Table.Tr>
  );
}

function Resolution({ payment, conflict }: { readonly payment: PaymentDetail; readonly conflict: Disagreement }) {
  const { role } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const { resolve } = usePaymentActions();
  const { resolved, kind, id } = conflict;
  if (resolved) {
    return (
      <>
        <StateBadge tone="good">resolved</StateBadge> {resolved.reason} <TimeText at={resolved.at} as="distance" />
      </>
    );
  }
  if (kind === 'difference' || role !== 'operator') return '–';
  return (
    <>
      <Button size="compact-sm" variant="light" leftSection={<IconChecks size={14} />} onClick={() => setConfirming(true)}>
        Mark resolved
      </Button>
      <ConfirmAction
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Mark this conflict as resolved?"
        action="Mark resolved"
        reason="required"
        onConfirm={(reason) => resolve.mutateAsync({ id: payment.id, conflict: id, reason })}
      >
        The result that was taken stays. Say what you found out, so that the next person knows.
      </ConfirmAction>
    </>
  );
}

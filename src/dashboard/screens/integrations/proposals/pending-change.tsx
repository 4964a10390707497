import { Modal, Stack, Text } from '@mantine/core';
import { useRecord } from '../../../api/use-record';
import { ProblemAlert } from '../../../parts/problem-alert';
import { TimeText } from '../../../parts/time-text';
import { DifferenceTable } from '../compare-dialog';

interface AuditRow {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

interface PendingChangeProps {
  readonly clientId: string;
  readonly appId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Audit actions on the integration itself. */
const written: readonly string[] = ['created', 'changed', 'proposed', 'declined', 'accepted'].map((what) => `integration.${what}`);

/** The changes since the integration was accepted, from the audit trail. */
export function PendingChange({ clientId, appId, opened, onClose }: PendingChangeProps) {
  const query = { subject: `integration:${clientId}/${appId}`, limit: 200 };
  const result = useRecord<{ readonly data: readonly AuditRow[] }>('/audit', { query, enabled: opened });
  const changes = (result.data?.data ?? []).filter(({ action }) => written.includes(action));
  const accepted = changes.find(({ before, after }) => after?.['status'] === 'accepted' && before?.['status'] !== 'accepted');
  const [last] = changes;
  return (
    <Modal opened={opened} onClose={onClose} title="Changes since it was accepted" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      {result.error && <ProblemAlert error={result.error} />}
      {result.data && (!last?.after || last === accepted) && <Text size="sm">Nothing was changed since the integration was accepted.</Text>}
      {last?.after && last !== accepted && (
        <Stack gap="sm">
          <Text size="sm">
            {accepted ? 'Accepted ' : 'Never accepted. First kept '}
            <TimeText at={(accepted ?? changes.at(-1) ?? last).at} as="whole" />, last changed <TimeText at={last.at} as="whole" /> by{' '}
            {last.actor}.
          </Text>
          <DifferenceTable heads={['Accepted', 'Now']} before={(accepted ?? changes.at(-1))?.after ?? {}} after={last.after} />
        </Stack>
      )}
    </Modal>
  );
}

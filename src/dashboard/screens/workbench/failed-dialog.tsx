import { Group, Modal, NavLink, Skeleton, Stack, Text } from '@mantine/core';
import type { Page } from '../../api/use-records';
import { useRecord } from '../../api/use-record';
import { EmptyState } from '../../parts/empty-state';
import { ProblemAlert } from '../../parts/problem-alert';
import { ReturnFocus } from '../../parts/return-focus';
import { TimeText } from '../../parts/time-text';

interface Failed {
  readonly id: string;
  readonly at: string;
  readonly call: string;
  readonly client_id?: string;
  readonly app_id?: string;
}

interface FailedDialogProps {
  readonly onClose: () => void;
  readonly onPick: (exchangeId: string) => void;
}

/** Requests whose signature was refused; each is kept for a day so that it can be explained. */
export function FailedDialog({ onClose, onPick }: FailedDialogProps) {
  const { data, error } = useRecord<Page<Failed>>('/exchanges', { query: { error_code: 'INVALID_SIGNATURE', limit: 30 } });
  return (
    <Modal opened onClose={onClose} title="Load a failed request" centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <ReturnFocus />
      {error && <ProblemAlert error={error} />}
      {!error && !data && <Skeleton height={160} />}
      {data?.data.length === 0 && (
        <EmptyState title="No signature was refused">Requests with a wrong signature are listed here for a day.</EmptyState>
      )}
      <Stack gap={2}>
        {data?.data.map(({ id, at, call, client_id, app_id }) => (
          <NavLink
            key={id}
            component="button"
            label={call}
            description={[client_id, app_id].filter(Boolean).join(' → ')}
            rightSection={
              <Group gap={4}>
                <Text size="xs" c="dimmed">
                  <TimeText at={at} as="distance" />
                </Text>
              </Group>
            }
            onClick={() => onPick(id)}
          />
        ))}
      </Stack>
    </Modal>
  );
}

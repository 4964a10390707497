import { Alert, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ConfirmAction } from '../../parts/confirm-action';
import { TimeText } from '../../parts/time-text';
import { type CredentialValue, titlesInside } from './credential';
import { useRetire } from './use-credentials';
import type { OfValue } from './of-value';

/** Revokes a value, with a warning that names its current users. */
export function RetireDialog({ partner, credential, value, onClose }: OfValue & { readonly onClose: () => void }) {
  const { mutateAsync } = useRetire(partner);
  return (
    <ConfirmAction
      opened
      danger
      onClose={onClose}
      title={`Retire this value of ${titlesInside[credential.credential]}?`}
      action={value.removal === 'safe' ? 'Retire' : 'Retire all the same'}
      onConfirm={() => mutateAsync({ credential: credential.credential, which: value.slot })}
    >
      <Stack gap="sm">
        <Text size="sm">It is accepted no more from that moment on, and cannot be brought back.</Text>
        <Warning value={value} />
      </Stack>
    </ConfirmAction>
  );
}

function Warning({ value }: { readonly value: CredentialValue }) {
  const last =
    value.last_used_at === undefined ? (
      'It was never used.'
    ) : (
      <>
        Last used <TimeText at={value.last_used_at} as="distance" />.
      </>
    );
  if (value.removal === 'safe') return <Text size="sm">{last} It is safe to remove.</Text>;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={value.removal === 'needed' ? 'Calls are proved with it' : 'It is still in use'}
    >
      {last} Calls with it will be refused.
      {value.callers.length > 0 && (
        <List size="sm" mt={6}>
          {value.callers.slice(0, 10).map(({ address, uses, last_at }) => (
            <List.Item key={address}>
              <Text span ff="monospace" size="sm">
                {address}
              </Text>
              {`: ${uses.toLocaleString('en')} in the last day, `}
              <TimeText at={last_at} as="distance" />
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

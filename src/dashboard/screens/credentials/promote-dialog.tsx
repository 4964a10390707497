import { Alert, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmAction } from '../../parts/confirm-action';
import { isProvable } from './credential';
import { GraceField } from './grace-field';
import { usePromote } from './use-credentials';
import type { OfValue } from './of-value';

/** Makes the `next` value current. */
export function PromoteDialog({ partner, credential, value, onClose }: OfValue & { readonly onClose: () => void }) {
  const [graceS, setGraceS] = useState(86_400);
  const { mutateAsync } = usePromote(partner);
  const isUnproved = isProvable(credential.credential) && value.proven_at === undefined;
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title="Promote the next value?"
      action="Promote"
      onConfirm={() => mutateAsync({ credential: credential.credential, previous_valid_for_s: graceS })}
    >
      <Stack gap="sm">
        <Text size="sm">It becomes current; the present one is the previous from then on, and still accepted for a while.</Text>
        {isUnproved && (
          <Alert color="yellow" variant="light" icon={<IconInfoCircle />} title="Possession is not proved yet">
            Nobody has shown that the private side of it is where it should be.
          </Alert>
        )}
        <GraceField seconds={graceS} onChange={setGraceS} />
      </Stack>
    </ConfirmAction>
  );
}

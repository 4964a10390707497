import { Button, Group, List, Stack, Text, Title } from '@mantine/core';
import type { CredentialKind } from '../credential';
import type { Rotation } from './rotation';

/** Next steps for the other side, and how to see that the old value can go. */
export function DoneStep({ rotation, onClose }: { readonly rotation: Rotation; readonly onClose: () => void }) {
  const { partner, credential, hasPresent, changesTo, dryRunKey } = rotation;
  return (
    <Stack gap="sm" mt="md">
      <Title order={3} fz="md">
        What {partner.name} must do now
      </Title>
      <List size="sm" spacing={6} type="ordered">
        {tasks[credential].map((task) => (
          <List.Item key={task}>{task}</List.Item>
        ))}
      </List>
      {dryRunKey && (
        <Text size="sm" c="dimmed">
          The dry run’s panel tells how calls fare. Promote there once none comes the old way any more.
        </Text>
      )}
      {hasPresent && !changesTo && (
        <Text size="sm" c="dimmed">
          When may the old one go? Its card says “Safe to remove” once nobody has used it for a day; until then it names who still does.
        </Text>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Finish</Button>
      </Group>
    </Stack>
  );
}

const tasks: Readonly<Record<CredentialKind, readonly string[]>> = {
  secret_key: ['Take the new secret key into use on every server.', 'Make one call and see it here as “Last used” of the new value.'],
  host_app_secret_key: ['Accept the new secret from Pierhead.', 'Keep accepting the old one until Pierhead calls with the new one.'],
  hmac_secret: [
    'Accept Pierhead’s signatures under the new secret beside the old one.',
    'Sign with the new secret, on every server.',
    'See “Last used” of the new value move here.',
  ],
  partner_public_key: [
    'Sign with the new private key, on every server.',
    'See “Last used” of the new value move here.',
    'Destroy the old private key.',
  ],
  platform_key: [
    'Read /.well-known/pierhead.json again, or store the new public key by hand.',
    'Check a signed sample of it.',
    'Accept both keys until Pierhead signs with the new one.',
  ],
};

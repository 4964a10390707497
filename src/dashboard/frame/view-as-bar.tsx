import { Button, Group, Text } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useSession, useSignIn } from '../api/session';
import { useAction } from '../api/use-action';

/** Shows on every screen that the operator is viewing as a partner, and ends that view. */
export function ViewAsBar() {
  const { viewAs } = useSession();
  const signIn = useSignIn();
  const navigate = useNavigate();
  const stop = useAction(() => signIn.viewAs(undefined));
  if (!viewAs) return null;
  return (
    <Group
      role="status"
      justify="space-between"
      gap="xs"
      px="md"
      py="xs"
      mb="md"
      bg="var(--mantine-color-grape-light)"
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    >
      <Group gap="xs" wrap="nowrap" miw={0}>
        <IconEye size={18} aria-hidden style={{ flex: 'none' }} />
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          You see what {viewAs.role === 'host-app' ? 'host app' : 'miniapp'} <b>{viewAs.app}</b> sees. Nothing can be changed.
        </Text>
      </Group>
      <Button
        size="compact-sm"
        variant="default"
        loading={stop.isPending}
        onClick={() => stop.mutate(undefined, { onSuccess: () => void navigate('/accounts') })}
      >
        Back to operator
      </Button>
    </Group>
  );
}

import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { CodeBlock } from '../../parts/code-block';
import { TimeText } from '../../parts/time-text';
import type { LinkView } from './account-view';

/** Shows a one-time link once, because it signs its holder in. */
export function LinkDialog({ link, onClose }: { readonly link: LinkView | undefined; readonly onClose: () => void }) {
  return (
    <Modal
      opened={link !== undefined}
      onClose={onClose}
      title="One-time link"
      centered
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {link && (
        <Stack gap="md">
          <Text size="sm">
            Send it to its owner by a way that you trust, who then chooses a password. It works once, until{' '}
            <TimeText at={link.expires_at} as="whole" />.
          </Text>
          <CodeBlock text={link.url} what="link" wraps />
          <Alert color="yellow" variant="light" icon={<IconInfoCircle />}>
            It is shown only now. A new link can be made at any time; this one then works no more.
          </Alert>
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

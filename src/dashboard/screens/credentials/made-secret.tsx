import { Alert, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CodeBlock } from '../../parts/code-block';

/** A secret that the platform generated; it is shown only this once. */
export function MadeSecret({ secret }: { readonly secret: string }) {
  return (
    <Alert color="teal" variant="light" icon={<IconKey />} title="The new secret key, shown once">
      <Stack gap="xs">
        <Text size="sm">Copy it into the vault of who calls with it. It cannot be shown again.</Text>
        <CodeBlock text={secret} what="new secret key" wraps />
      </Stack>
    </Alert>
  );
}

import { Button, Group, Stack, Text } from '@mantine/core';
import { isProvable } from './credential';
import { ProofForm } from './proof-form';
import type { StepProps } from './rotation';

/** The partner shows that it holds the other half; can be left for later. */
export function ProofStep({ rotation, onDone }: StepProps) {
  const { partner, credential, changesTo, shadowKey } = rotation;
  if (!isProvable(credential)) return null;
  return (
    <Stack gap="sm" mt="md">
      <Text size="sm">
        Prove that the new key is where it will be used, before anything depends on it. It is done by signing a text that no request can
        ever be.
      </Text>
      <ProofForm partner={partner} credential={credential} slot={shadowKey ?? (changesTo ? 'current' : 'next')} onProved={() => onDone()} />
      <Group>
        <Button variant="subtle" onClick={() => onDone()}>
          Leave the proof for later
        </Button>
      </Group>
    </Stack>
  );
}

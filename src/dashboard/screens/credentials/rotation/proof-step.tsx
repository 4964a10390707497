import { Button, Group, Stack, Text } from '@mantine/core';
import { isProvable } from '../credential';
import { ProofForm } from '../proof-form';
import type { StepProps } from './rotation';

/** The partner proves possession; the step can be skipped. */
export function ProofStep({ rotation, onDone }: StepProps) {
  const { partner, credential, changesTo, dryRunKey } = rotation;
  if (!isProvable(credential)) return null;
  return (
    <Stack gap="sm" mt="md">
      <Text size="sm">
        Prove that the new key is where it will be used, before anything depends on it. It is done by signing a text that no request can
        ever be.
      </Text>
      <ProofForm partner={partner} credential={credential} slot={dryRunKey ?? (changesTo ? 'current' : 'next')} onProved={() => onDone()} />
      <Group>
        <Button variant="subtle" onClick={() => onDone()}>
          Leave the proof for later
        </Button>
      </Group>
    </Stack>
  );
}

import { Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { CodeBlock } from '../../parts/code-block';
import { ProblemAlert } from '../../parts/problem-alert';
import { ReturnFocus } from '../../parts/return-focus';
import { useSample } from './use-credentials';
import type { OfValue } from './of-value';

/** A signature that proves that the platform holds its own key. */
export function SampleDialog({ partner, value, onClose }: OfValue & { readonly onClose: () => void }) {
  const slot = value.slot === 'next' ? 'next' : 'current';
  const { mutate, data, error } = useSample(partner);
  useEffect(() => {
    mutate({ slot });
  }, [mutate, slot]);
  return (
    <Modal opened onClose={onClose} title="Signed sample" size="lg" centered closeButtonProps={{ 'aria-label': 'Close' }}>
      <ReturnFocus />
      {error && <ProblemAlert error={error} />}
      {!error && !data && <Skeleton height={160} />}
      {data && (
        <Stack gap="xs">
          <Text size="sm">
            Pierhead has signed this text with its private key. If it verifies with the public key that you have stored, you have the right
            one.
          </Text>
          <CodeBlock text={data.text} what="signed text" wraps />
          <Text size="sm">Signature</Text>
          <CodeBlock text={data.signature} what="signature of the sample" wraps maxHeight={120} />
          <Text size="sm">Public key</Text>
          <CodeBlock text={data.public_key} what="Pierhead’s public key" maxHeight={180} />
        </Stack>
      )}
    </Modal>
  );
}

import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { sideTitles, type Verdict } from './request-model';

const inks = { good: 'light-dark(#05603f, var(--mantine-color-teal-2))', bad: 'light-dark(#9b1c1c, var(--mantine-color-red-2))' };

/** The side that has to act; below it the event and the next step. */
export function VerdictBanner({ verdict: { side, sentence, next }, actions }: { readonly verdict: Verdict; readonly actions?: ReactNode }) {
  const isGood = side === 'nobody';
  return (
    <Alert
      color={isGood ? 'teal' : 'red'}
      variant="light"
      radius="md"
      icon={isGood ? <IconCircleCheck /> : <IconAlertTriangle />}
      title={isGood ? 'Nobody has to act' : `${sideTitles[side]} has to act`}
      styles={{ title: { fontSize: 'var(--mantine-font-size-md)', color: isGood ? inks.good : inks.bad } }}
    >
      <Text size="sm">{sentence}</Text>
      {next !== undefined && (
        <Text size="sm" mt={4}>
          <b>First:</b> {next}
        </Text>
      )}
      {actions}
    </Alert>
  );
}

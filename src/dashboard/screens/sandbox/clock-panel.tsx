import { Button, Group, Stack, Text } from '@mantine/core';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { lengthWords } from '../../parts/time-words';
import type { Clock } from './sandbox-model';

interface Advanced {
  readonly advanced_s: number;
  readonly steps: readonly { readonly what: string; readonly id?: string; readonly in_s: number }[];
}

const jumps = [
  ['1 minute', 60],
  ['1 hour', 3600],
  ['6 hours', 21_600],
  ['1 day', 86_400],
  ['7 days', 604_800],
] as const;

/** Advances time for the simulated partners' integrations; everything that becomes due on the way happens. */
export function ClockPanel({ clock }: { readonly clock: Clock }) {
  const advance = useAction((body: { seconds: number } | { to: 'next' }) => manage<Advanced>('POST', '/sandbox/wind', { body }), {
    touches: ['/sandbox', '/payments', '/deliveries'],
    done: ({ advanced_s, steps }) => `${lengthWords(advanced_s * 1000)} passed; ${plural(steps.length, 'thing')} happened`,
  });
  const { next } = clock;
  return (
    <Panel
      title="Virtual clock"
      lead={`${clock.advanced_s === 0 ? 'Not advanced since the start' : `${lengthWords(clock.advanced_s * 1000)} ahead`} · ${next ? `next: ${next.what} in ${lengthWords(Math.max(0, next.in_s) * 1000)}` : 'nothing waits'}`}
    >
      <Group gap="xs">
        <Button size="compact-sm" disabled={!next} loading={advance.isPending} onClick={() => advance.mutate({ to: 'next' })}>
          To what comes next
        </Button>
        {jumps.map(([words, seconds]) => (
          <Button key={words} size="compact-sm" variant="default" disabled={advance.isPending} onClick={() => advance.mutate({ seconds })}>
            + {words}
          </Button>
        ))}
      </Group>
      {advance.data && <Steps advanced={advance.data} />}
    </Panel>
  );
}

const maxShown = 12;

function Steps({ advanced: { steps } }: { readonly advanced: Advanced }) {
  return (
    <Stack gap={2} mt="sm" role="status">
      {steps.slice(0, maxShown).map(({ what, id, in_s: at }, i) => (
        <Text key={i} size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          after {lengthWords(at * 1000)}: {what}
          {id !== undefined && (
            <Text span ff="monospace" size="xs" c="dimmed">
              {' '}
              {id}
            </Text>
          )}
        </Text>
      ))}
      {steps.length > maxShown && (
        <Text size="sm" c="dimmed">
          and {steps.length - maxShown} more
        </Text>
      )}
      {steps.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing fell due on the way.
        </Text>
      )}
    </Stack>
  );
}

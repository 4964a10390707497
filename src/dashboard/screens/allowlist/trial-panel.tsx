import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useState } from 'react';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { PartnerRef } from '../../parts/use-partner-choice';
import { type Allowlist, type Trial } from './allowlist';
import { CallerTable } from './refused-panel';

/** Tries another list on recorded calls and shows the ones that it would have refused. Nothing changes. */
export function TrialPanel({ partner, list }: { readonly partner: PartnerRef; readonly list: Allowlist }) {
  const [text, setText] = useState(list.entries.map(({ entry }) => entry).join('\n'));
  const trial = useAction(
    (addresses: readonly string[]) => manage<Trial>('POST', `${partner.path}/ip-whitelist/trial`, { body: { addresses } }),
    { showsErrors: false },
  );
  const addresses = text.split(/[\s,]+/).filter(Boolean);
  return (
    <Panel title="Dry run" lead="What would another list have done to the calls of the last 30 days? Nothing is changed.">
      <Stack gap="sm">
        <Textarea
          label="List to try"
          description="One address or network a line"
          autosize
          minRows={3}
          maxRows={10}
          value={text}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group>
          <Button
            variant="default"
            leftSection={<IconFlask size={16} aria-hidden />}
            loading={trial.isPending}
            onClick={() => trial.mutate(addresses)}
          >
            Try this list
          </Button>
        </Group>
        {trial.error && <ProblemAlert error={trial.error} />}
        {trial.data && <Outcome trial={trial.data} />}
      </Stack>
    </Panel>
  );
}

function Outcome({ trial }: { readonly trial: Trial }) {
  if (trial.calls === 0) {
    return (
      <Text size="sm" c="dimmed">
        No call was counted since <TimeText at={trial.since} as="whole" />: nothing can be said yet.
      </Text>
    );
  }
  return (
    <Stack gap="xs" role="status">
      <Group gap="xs">
        <StateBadge tone={trial.refused === 0 ? 'good' : 'warn'}>{trial.refused === 0 ? 'Safe' : 'Would refuse'}</StateBadge>
        <Text size="sm">
          Would have refused <b>{trial.refused.toLocaleString('en')}</b> of {plural(trial.calls, 'call')}
          {trial.refused > 0 && ', here they are:'}
        </Text>
      </Group>
      {trial.callers.length > 0 && (
        <CallerTable
          name="Would be refused"
          callers={trial.callers}
          countTitle="Calls"
          countOf={({ admitted, refused }) => admitted + refused}
        />
      )}
    </Stack>
  );
}

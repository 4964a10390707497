import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconChecklist, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { ConfirmAction } from '../../parts/confirm-action';
import { EmptyState } from '../../parts/empty-state';
import { Panel } from '../../parts/panel';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { lengthWords } from '../../parts/time-words';
import type { Partner } from './chosen-partner';
import { ReportLinks } from './report-links';
import { TestData } from './test-data-dialog';
import { useTestData } from './use-test-data';
import type { Run } from './conformance-model';

interface RunsPanelProps {
  readonly partner: Partner;
  /** Newest first. */
  readonly runs: readonly Run[];
  /** The number of scenarios. */
  readonly count: number;
}

/** The last run and earlier ones, and a button to start another. */
export function RunsPanel({ partner, runs, count }: RunsPanelProps) {
  const [last] = runs;
  const failed = Object.entries(last?.verdicts ?? {}).flatMap(([id, verdict]) =>
    verdict === 'failed' || verdict === 'not_run' ? [id] : [],
  );
  const actions = (
    <Group gap="xs">
      <TestData partner={partner} />
      {failed.length > 0 && last?.state !== 'running' && (
        <StartRun partner={partner} only={failed} title={`Run ${String(failed.length)} failed`} />
      )}
      <StartRun partner={partner} only={[]} title="Run all" isMain disabled={last?.state === 'running'} />
    </Group>
  );
  if (!last)
    return (
      <EmptyState icon={IconChecklist} title="Not run yet" actions={actions}>
        {count} scenarios, one after the other.
      </EmptyState>
    );
  return (
    <Panel title="Last run" actions={actions}>
      <LastRun run={last} />
      {runs.length > 1 && <History runs={runs} />}
    </Panel>
  );
}

function StartRun({
  partner,
  only,
  title,
  isMain = false,
  disabled = false,
}: {
  readonly partner: Partner;
  readonly only: readonly string[];
  readonly title: string;
  readonly isMain?: boolean;
  readonly disabled?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const { test } = useTestData(partner);
  const body = { ...partner, ...(only.length > 0 && { only }), ...(test && { test }) };
  const start = useAction(() => manage('POST', '/conformance/runs', { body }), {
    touches: ['/conformance/runs'],
    done: 'The run has begun',
    showsErrors: false,
  });
  return (
    <>
      <Button
        variant={isMain ? 'filled' : 'default'}
        disabled={disabled}
        {...(isMain && { leftSection: <IconPlayerPlay size={16} aria-hidden /> })}
        onClick={() => setOpen(true)}
      >
        {title}
      </Button>
      <ConfirmAction opened={isOpen} onClose={() => setOpen(false)} title={title} action="Start" onConfirm={() => start.mutateAsync()}>
        The stored URLs of {partner.role === 'host-app' ? partner.client_id : partner.app_id} are called with its real credentials: test
        users sign on, orders are opened, completions and events arrive. Run it against a test set-up, not where real people pay.
      </ConfirmAction>
    </>
  );
}

function LastRun({ run }: { readonly run: Run }) {
  const { passed, failed, not_run: notRun, not_applicable: notApplicable } = run.score;
  const took = run.ended_at === undefined ? undefined : lengthWords(Date.parse(run.ended_at) - Date.parse(run.started_at));
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <StateBadge tone={run.state === 'running' ? 'wait' : run.state !== 'done' ? 'warn' : failed + notRun > 0 ? 'bad' : 'good'}>
          {run.state === 'done' ? `${String(passed)} of ${String(passed + failed + notRun)} passed` : run.state}
        </StateBadge>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {failed} failed · {notRun} not run · {notApplicable} do not apply · {run.target} · <TimeText at={run.started_at} as="distance" />
          {took !== undefined && ` · took ${took}`}
        </Text>
      </Group>
      {run.stopped !== undefined && (
        <Text size="sm" c="red">
          Ended early: {run.stopped}
        </Text>
      )}
      {run.state === 'running' ? <RunProgress run={run} /> : <ReportLinks id={run.id} />}
    </Stack>
  );
}

function RunProgress({ run }: { readonly run: Run }) {
  const cancel = useAction(() => manage('POST', `${pathOf('conformance', 'runs', run.id)}/cancel`), {
    touches: ['/conformance/runs'],
    done: 'It stops after this scenario',
  });
  const words = `${String(run.done)} of ${String(run.scenarios)}`;
  return (
    <Group gap="sm" wrap="nowrap">
      <Progress value={(run.done / Math.max(1, run.scenarios)) * 100} animated style={{ flex: 1 }} aria-label={`${words} scenarios`} />
      <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {words}
      </Text>
      <Button size="compact-sm" variant="subtle" color="red" onClick={() => cancel.mutate()}>
        Cancel
      </Button>
    </Group>
  );
}

function History({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <Stack gap={4} mt="md">
      <Text size="sm" fw={600}>
        Before
      </Text>
      {runs.slice(1).map((run) => (
        <Group key={run.id} gap="xs" justify="space-between">
          <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
            <TimeText at={run.started_at} /> · {run.score.passed} passed, {run.score.failed} failed{run.only.length > 0 && ' (some alone)'}
          </Text>
          <ReportLinks id={run.id} />
        </Group>
      ))}
    </Stack>
  );
}

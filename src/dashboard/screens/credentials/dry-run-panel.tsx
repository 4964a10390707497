import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { ConfirmAction } from '../../parts/confirm-action';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { PartnerSettings } from './credential';
import { GraceField } from './grace-field';
import { DryRunReport } from './dry-run-report';
import { useEndDryRun, usePromoteDryRun, useSetDryRun, useDryRun, type DryRun, type TriedDryRun } from './dry-run';

/** The dry run: its settings, the results of calls, and the next actions. */
export function DryRunPanel({ partner, settings }: { readonly partner: PartnerRef; readonly settings: PartnerSettings }) {
  // The dry run is gone once it is ending, so it is not read again.
  const [ending, setEnding] = useState(false);
  const { data, error, refetch } = useDryRun(partner, !ending);
  const { viewAs } = useSession();
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const stored = settings.signature.enabled ? (settings.signature.algorithm ?? 'HMAC') : 'Basic';
  return (
    <Panel
      title={`Dry run: ${data.signature.algorithm ?? 'HMAC'} with ${data.signature.hash} beside ${stored}`}
      lead={<Lead dryRun={data} />}
      actions={
        <StateBadge tone={data.mode === 'accept' ? 'warn' : 'info'}>{data.mode === 'accept' ? 'Both accepted' : 'Observed'}</StateBadge>
      }
    >
      <Stack gap="md">
        <DryRunReport dryRun={data} />
        {!viewAs && <Actions partner={partner} dryRun={data} onEnding={setEnding} />}
      </Stack>
    </Panel>
  );
}

function Lead({ dryRun: { mode, since, until } }: { readonly dryRun: DryRun }) {
  const what =
    mode === 'accept' ? 'A call is let in where it fits either way.' : 'Calls are checked both ways; the stored settings alone decide.';
  return (
    <>
      {what} Since <TimeText at={since} as="distance" />, ends <TimeText at={until} as="whole" />.
    </>
  );
}

interface Tried {
  readonly partner: PartnerRef;
  readonly dryRun: TriedDryRun;
}

function Actions({ partner, dryRun, onEnding }: Tried & { readonly onEnding: (isEnding: boolean) => void }) {
  const [confirming, setConfirming] = useState<'promote' | 'end'>();
  const set = useSetDryRun(partner);
  const end = useEndDryRun(partner);
  const other = dryRun.mode === 'accept' ? 'observe' : 'accept';
  return (
    <>
      {set.error && <ProblemAlert error={set.error} />}
      <Group justify="flex-end">
        <Button variant="subtle" color="red" onClick={() => setConfirming('end')}>
          End
        </Button>
        <Button variant="default" loading={set.isPending} onClick={() => set.mutate({ mode: other })}>
          {other === 'accept' ? 'Accept both ways' : 'Only observe'}
        </Button>
        <Button onClick={() => setConfirming('promote')}>Promote</Button>
      </Group>
      <PromoteDialog partner={partner} dryRun={dryRun} opened={confirming === 'promote'} onClose={() => setConfirming(undefined)} />
      <ConfirmAction
        opened={confirming === 'end'}
        onClose={() => setConfirming(undefined)}
        title="End the trial?"
        action="End"
        danger
        onConfirm={() => {
          onEnding(true);
          return end.mutateAsync().catch((error: unknown) => {
            onEnding(false);
            throw error;
          });
        }}
      >
        Calls that fit the tried settings alone are refused from now on. Keys that came with them stay where they are.
      </ConfirmAction>
    </>
  );
}

function PromoteDialog({ partner, dryRun, opened, onClose }: Tried & { readonly opened: boolean; readonly onClose: () => void }) {
  const [graceS, setGraceS] = useState(86_400);
  const promote = usePromoteDryRun(partner);
  const { calls, refused } = dryRun.report.of_last;
  return (
    <ConfirmAction
      opened={opened}
      onClose={onClose}
      title="Promote the settings that are tried?"
      action="Promote"
      onConfirm={() => promote.mutateAsync(graceS)}
    >
      <Stack gap="sm">
        <Text size="sm">
          They are stored, and Pierhead signs its calls to {partner.name} this way from now on. Those of before stay accepted for a while;
          to promote again is the way back.
        </Text>
        {refused > 0 && (
          <Text size="sm" fw={600}>
            {refused.toLocaleString('en')} of the last {plural(calls, 'call')} still came the other way.
          </Text>
        )}
        <GraceField seconds={graceS} onChange={setGraceS} />
      </Stack>
    </ConfirmAction>
  );
}

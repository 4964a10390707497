import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { ConfirmDeed } from '../../parts/confirm-deed';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import type { PartnerRef } from '../../parts/use-partner-choice';
import type { PartnerSettings } from './credential';
import { GraceField } from './grace-field';
import { ShadowReport } from './shadow-report';
import { useEndShadow, usePromoteShadow, useSetShadow, useShadow, type Shadow, type TriedShadow } from './shadow';

/** The settings that are tried beside the stored ones: how calls fare with them, and what can be done next. */
export function ShadowPanel({ partner, settings }: { readonly partner: PartnerRef; readonly settings: PartnerSettings }) {
  // Once it is being ended there is nothing to read.
  const [ending, setEnding] = useState(false);
  const { data, error, refetch } = useShadow(partner, !ending);
  const { viewAs } = useSession();
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const stored = settings.signature.enabled ? (settings.signature.algorithm ?? 'HMAC') : 'Basic';
  return (
    <Panel
      title={`Shadow: ${data.signature.algorithm ?? 'HMAC'} with ${data.signature.hash} beside ${stored}`}
      lead={<Lead shadow={data} />}
      deeds={
        <StateBadge tone={data.mode === 'accept' ? 'warn' : 'info'}>{data.mode === 'accept' ? 'Both accepted' : 'Observed'}</StateBadge>
      }
    >
      <Stack gap="md">
        <ShadowReport shadow={data} />
        {!viewAs && <Deeds partner={partner} shadow={data} onEnding={setEnding} />}
      </Stack>
    </Panel>
  );
}

function Lead({ shadow: { mode, since, until } }: { readonly shadow: Shadow }) {
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
  readonly shadow: TriedShadow;
}

function Deeds({ partner, shadow, onEnding }: Tried & { readonly onEnding: (isEnding: boolean) => void }) {
  const [asked, setAsked] = useState<'promote' | 'end'>();
  const set = useSetShadow(partner);
  const end = useEndShadow(partner);
  const other = shadow.mode === 'accept' ? 'observe' : 'accept';
  return (
    <>
      {set.error && <ProblemAlert error={set.error} />}
      <Group justify="flex-end">
        <Button variant="subtle" color="red" onClick={() => setAsked('end')}>
          End
        </Button>
        <Button variant="default" loading={set.isPending} onClick={() => set.mutate({ mode: other })}>
          {other === 'accept' ? 'Accept both ways' : 'Only observe'}
        </Button>
        <Button onClick={() => setAsked('promote')}>Promote</Button>
      </Group>
      <PromoteDialog partner={partner} shadow={shadow} opened={asked === 'promote'} onClose={() => setAsked(undefined)} />
      <ConfirmDeed
        opened={asked === 'end'}
        onClose={() => setAsked(undefined)}
        title="End the trial?"
        deed="End"
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
      </ConfirmDeed>
    </>
  );
}

function PromoteDialog({ partner, shadow, opened, onClose }: Tried & { readonly opened: boolean; readonly onClose: () => void }) {
  const [graceS, setGraceS] = useState(86_400);
  const promote = usePromoteShadow(partner);
  const { calls, refused } = shadow.report.of_last;
  return (
    <ConfirmDeed
      opened={opened}
      onClose={onClose}
      title="Promote the settings that are tried?"
      deed="Promote"
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
    </ConfirmDeed>
  );
}

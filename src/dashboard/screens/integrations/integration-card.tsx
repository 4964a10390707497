import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { manage, pathOf } from '../../api/manage';
import { useSession } from '../../api/session';
import { useAction } from '../../api/use-action';
import { ConfirmAction } from '../../parts/confirm-action';
import { percentText, successOf, type PairFigures } from '../../parts/figures/figures';
import { useRangeSearch } from '../../parts/range/use-range';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { FeatureMatrix } from './feature-matrix';
import { bodyOf, healthOf, statusTones, type Integration, type Partner } from './integration';
import styles from './integrations.module.css';
import type { ReadinessSummary } from './readiness';
import { Sparkline } from './sparkline';

interface IntegrationCardProps {
  readonly integration: Integration;
  readonly hostApps: readonly Partner[];
  readonly miniapps: readonly Partner[];
  readonly figures: readonly PairFigures[];
  /** Of all integrations in the list. Absent until it is loaded. */
  readonly readiness: readonly ReadinessSummary[];
  readonly onCompare: () => void;
}

/** One integration in the list: its partners, features, health and readiness. */
export function IntegrationCard({ integration, hostApps, miniapps, figures, readiness, onCompare }: IntegrationCardProps) {
  const { client_id, app_id, status, features } = integration;
  const range = useRangeSearch();
  const ready = readiness.find((one) => one.client_id === client_id && one.app_id === app_id);
  const [hostApp, miniapp] = [hostApps.find((one) => one.client_id === client_id), miniapps.find((one) => one.app_id === app_id)];
  const own = figures.find((one) => one.client_id === client_id && one.app_id === app_id);
  const health = healthOf(own);
  return (
    <article className={styles.card} aria-label={`${client_id} and ${app_id}`}>
      <Stack gap={4} miw={0}>
        <Anchor component={Link} to={`/integrations${pathOf(client_id, app_id)}${range}`} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {hostApp?.name ?? client_id} × {miniapp?.name ?? app_id}
        </Anchor>
        <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {client_id} × {app_id}
        </Text>
        <Group gap={6}>
          <StateBadge tone={statusTones[status]}>{status}</StateBadge>
          {ready && <StateBadge tone={ready.mode === 'live' ? 'info' : 'quiet'}>{ready.mode}</StateBadge>}
        </Group>
      </Stack>
      <FeatureMatrix hostApp={hostApp?.features} miniapp={miniapp?.features} integration={features} />
      <Course figures={own} />
      <Stack gap={4} align="flex-start">
        <StateBadge tone={health.tone}>{health.words}</StateBadge>
        <Text size="xs" c="dimmed">
          {ready ? `${String(ready.percent)} % ready` : '…'}
        </Text>
      </Stack>
      <div className={styles.actions}>
        <StatusActions integration={integration} />
        <Button size="compact-sm" variant="default" onClick={onCompare} aria-label={`Compare ${client_id} and ${app_id}`}>
          Compare
        </Button>
      </div>
    </article>
  );
}

/** The number of requests over time, and their success. */
function Course({ figures }: { readonly figures: PairFigures | undefined }) {
  return (
    <Stack gap={2}>
      {figures && <Sparkline series={figures.series} />}
      <Text size="xs" c="dimmed" component="div">
        {figures ? (
          <>
            {percentText(successOf(figures))} success · last call <TimeText at={figures.last_at} as="distance" />
          </>
        ) : (
          'No call in this range'
        )}
      </Text>
    </Stack>
  );
}

const actions = {
  proposed: { status: 'accepted', word: 'Accept', what: 'From now on calls between the two are served.' },
  accepted: {
    status: 'suspended',
    word: 'Suspend',
    what: 'From now on calls between the two are refused. Deliveries wait, and are made later.',
  },
  suspended: { status: 'accepted', word: 'Accept', what: 'Calls between the two are served again; what waited is delivered.' },
} as const;

/** Accepts or suspends an integration. Operator only. */
export function StatusActions({
  integration,
  size = 'compact-sm',
}: {
  readonly integration: Integration;
  readonly size?: 'sm' | 'compact-sm';
}) {
  const { role, viewAs } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const { client_id, app_id, status } = integration;
  const { status: next, word, what } = actions[status];
  const path = `/integrations${pathOf(client_id, app_id)}`;
  const change = useAction(() => manage('PUT', path, { body: bodyOf(integration, { status: next }) }), {
    ...{ touches: ['/integrations'], done: `The integration is ${next}`, showsErrors: false },
  });
  if (role !== 'operator' || viewAs) return null;
  return (
    <>
      <Button
        size={size}
        variant={next === 'accepted' ? 'filled' : 'default'}
        aria-label={`${word} ${client_id} and ${app_id}`}
        onClick={() => setConfirming(true)}
      >
        {word}
      </Button>
      <ConfirmAction
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title={`${word} the integration`}
        action={word}
        danger={next === 'suspended'}
        onConfirm={() => change.mutateAsync()}
      >
        {client_id} and {app_id}. {what}
      </ConfirmAction>
    </>
  );
}

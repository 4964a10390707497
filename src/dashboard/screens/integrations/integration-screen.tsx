import { Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { pathOf, type Query } from '../../api/manage';
import { useSession } from '../../api/session';
import { useRecord } from '../../api/use-record';
import { LatencyChart, LatencyShareChart, SuccessChart, TrafficChart } from '../../parts/figures/traffic-charts';
import { PageHead } from '../../parts/page-head';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { ShortId } from '../../parts/short-id';
import { StateBadge } from '../../parts/state-badge';
import { ProblemList } from '../overview/problem-list';
import { ChecklistPanel } from './checklist-panel';
import { FeatureMatrix } from './feature-matrix';
import { statusTones, type Integration, type Partner, type PartnerKind } from './integration';
import { StatusActions } from './integration-card';
import { PendingChange } from './proposals/pending-change';
import { isProposed } from './proposals/proposal';
import { ProposalBanner } from './proposals/proposal-banner';
import type { Readiness } from './readiness';
import { SettingsPanel } from './settings-panel';
import { TestTraffic } from './test-traffic';

/** An integration: readiness, settings in each direction, times, and failures. */
export default function IntegrationScreen() {
  const { clientId = '', appId = '' } = useParams();
  const path = `/integrations${pathOf(clientId, appId)}`;
  const result = useRecord<Integration>(path, { live: 'integrations' });
  const { role } = useSession();
  // The proposer may not see the other side yet.
  const isShown = (kind: PartnerKind): boolean => result.data !== undefined && (result.data.proposal?.by !== role || kind === role);
  const hostApp = useRecord<Partner>(`/host-apps${pathOf(clientId)}`, { enabled: isShown('host-app') }).data;
  const miniapp = useRecord<Partner>(`/miniapps${pathOf(appId)}`, { enabled: isShown('miniapp') }).data;
  const readiness = useRecord<Readiness>(`${path}/readiness`, { live: 'exchanges' });
  const query = { client_id: clientId, app_id: appId };
  const back = { to: '/integrations', title: 'Integrations' };
  if (result.error) return <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />;
  if (!result.data) return <Skeleton height={320} role="status" aria-label="Loading" />;
  const title = `${hostApp?.name ?? clientId} × ${miniapp?.name ?? appId}`;
  return (
    <>
      <PageHead
        title={title}
        back={back}
        lead={<Lead integration={result.data} mode={readiness.data?.mode} />}
        actions={<Actions integration={result.data} />}
      />
      <Stack gap="md">
        {isProposed(result.data) && <ProposalBanner integration={result.data} />}
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <ChecklistPanel path={path} result={readiness} isProposed={isProposed(result.data)} />
          <Stack gap="md">
            <Panel title="Features" lead="A feature works where it is on at all three levels">
              <FeatureMatrix hostApp={hostApp?.features} miniapp={miniapp?.features} integration={result.data.features} />
            </Panel>
            <SettingsPanel integration={result.data} hostApp={hostApp} miniapp={miniapp} />
            {!isProposed(result.data) && <TrafficChart query={query} />}
          </Stack>
        </SimpleGrid>
        {!isProposed(result.data) && <Course query={query} />}
      </Stack>
    </>
  );
}

/** Success in the range, and failures. */
function Course({ query }: { readonly query: Query }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="md">
        <SuccessChart query={query} />
        <LatencyChart query={query} />
        <LatencyShareChart query={query} />
      </SimpleGrid>
      <ProblemList query={query} />
    </>
  );
}

function Lead({
  integration: { client_id, app_id, status },
  mode,
}: {
  readonly integration: Integration;
  readonly mode: string | undefined;
}) {
  return (
    <Group gap="xs">
      <ShortId id={client_id} what="client id" ends={12} />
      <Text span size="sm">
        ×
      </Text>
      <ShortId id={app_id} what="app id" ends={12} />
      <StateBadge tone={statusTones[status]}>{status}</StateBadge>
      {mode !== undefined && <StateBadge tone={mode === 'live' ? 'info' : 'quiet'}>{mode}</StateBadge>}
    </Group>
  );
}

function Actions({ integration }: { readonly integration: Integration }) {
  const { client_id, app_id } = integration;
  const { role, viewAs } = useSession();
  const [isDiff, setDiff] = useState(false);
  const search = `?${new URLSearchParams({ client_id, app_id }).toString()}`;
  return (
    <>
      {role === 'operator' && !viewAs && <TestTraffic integration={integration} />}
      <Button component={Link} to={`/conformance${search}`} variant="default">
        Run conformance
      </Button>
      <Button variant="default" leftSection={<IconGitCompare size={16} />} onClick={() => setDiff(true)}>
        Changes
      </Button>
      {!isProposed(integration) && <StatusActions integration={integration} size="sm" />}
      <PendingChange clientId={client_id} appId={app_id} opened={isDiff} onClose={() => setDiff(false)} />
    </>
  );
}

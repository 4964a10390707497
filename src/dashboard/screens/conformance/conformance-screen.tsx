import { Stack } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { useRecord } from '../../api/use-record';
import { ScreenSkeleton } from '../../parts/screen-skeleton';
import { EmptyState } from '../../parts/empty-state';
import { PageHead } from '../../parts/page-head';
import { ProblemAlert } from '../../parts/problem-alert';
import { ChosenPartner, usePartner } from './chosen-partner';
import { RunsPanel } from './runs-panel';
import { ScenariosPanel } from './scenarios-panel';
import type { FullRun, Run, Scenario } from './conformance-model';

/** Runs the contract's scenarios against a partner's endpoints, and shows every difference. */
export default function ConformanceScreen() {
  const { pairs, partner, choose, isPending, error } = usePartner();
  if (isPending) return <ScreenSkeleton />;
  return (
    <>
      <PageHead
        title="Conformance"
        lead="Pierhead drives a partner’s own endpoints through the contract: good calls, wrong credentials, repeats, odd texts, large numbers."
      />
      {error && <ProblemAlert error={error} />}
      {partner ? (
        <Stack gap="lg">
          <ChosenPartner pairs={pairs} partner={partner} onChoose={choose} />
          <Partner partner={partner} />
        </Stack>
      ) : (
        <EmptyState
          icon={IconPlugConnected}
          title="No integration yet"
          actions={
            <Button component={Link} to="/integrations">
              To the integrations
            </Button>
          }
        >
          A run needs a host app and a miniapp with an integration between them: the ids of both stand in every call.
        </EmptyState>
      )}
    </>
  );
}

function Partner({ partner }: { readonly partner: NonNullable<ReturnType<typeof usePartner>['partner']> }) {
  const { role, client_id: clientId, app_id: appId } = partner;
  const of = role === 'host-app' ? { client_id: clientId } : { app_id: appId };
  const scenarios = useRecord<{ data: readonly Scenario[] }>('/conformance/scenarios', { query: { role } });
  const runs = useRecord<{ data: readonly Run[] }>('/conformance/runs', { query: { ...of, limit: 20 }, everyMs: 1500 });
  const kept = (runs.data?.data ?? []).filter((run) => run.role === role);
  const shownId = kept[0]?.id;
  const full = useRecord<FullRun>(`/conformance/runs/${shownId ?? 'none'}`, {
    enabled: shownId !== undefined,
    ...(kept[0]?.state === 'running' && { everyMs: 1000 }),
    query: {},
  });
  const error = scenarios.error ?? runs.error;
  // "Not run yet" needs a known state of the partner. Without this check an open dialog would be unmounted.
  if (!scenarios.data || !runs.data) return error ? <ProblemAlert error={error} /> : <ScreenSkeleton />;
  const all = scenarios.data.data;
  const last = full.data?.id === shownId ? full.data : undefined;
  return (
    <>
      <RunsPanel partner={partner} runs={kept} count={all.length} />
      <ScenariosPanel partner={partner} scenarios={all} runs={kept} last={last} />
    </>
  );
}

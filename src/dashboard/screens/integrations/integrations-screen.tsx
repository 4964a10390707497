import { Button, Paper, Skeleton, Stack } from '@mantine/core';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSession } from '../../api/session';
import { EmptyState } from '../../parts/empty-state';
import { PageHead } from '../../parts/page-head';
import { ProblemAlert } from '../../parts/problem-alert';
import { CreatePartner } from './create-partner';
import { useHostApps, useIntegrations, useMiniapps, type PartnerKind } from './integration';
import { IntegrationViews } from './integration-views';
import type { KnownPartners } from './partner-names';
import { idWords, isProposed, kindWords, otherKind, useOwnPartner } from './proposals/proposal';
import { ProposalsPanel } from './proposals/proposals-panel';
import { ProposeDialog } from './proposals/propose-dialog';
import { ProposeToDialog } from './proposals/propose-to-dialog';

/** All integrations with their readiness and health. */
export default function IntegrationsScreen() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [result, hostApps, miniapps] = [useIntegrations(cursors.at(-1)), useHostApps(), useMiniapps()];
  const rows = result.data?.data ?? [];
  const agreed = rows.filter((row) => !isProposed(row));
  const known = { hostApps: hostApps.data?.data ?? [], miniapps: miniapps.data?.data ?? [] };
  const pages = { cursors, next: result.data?.next_cursor ?? undefined, onTurn: setCursors };
  return (
    <>
      <PageHead
        title="Integrations"
        lead="Host app by miniapp: what is agreed, what is on, and how it goes."
        actions={<Actions {...known} />}
      />
      <Stack gap="md">
        {result.data && <ProposalsPanel proposals={rows.filter(isProposed)} {...known} />}
        {result.isPending && <Skeleton height={240} role="status" aria-label="Loading" />}
        {result.error && <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />}
        {result.data && rows.length === 0 && <NoneYet {...known} />}
        {rows.length > 0 && <IntegrationViews integrations={agreed} {...known} {...pages} />}
      </Stack>
    </>
  );
}

function NoneYet(known: KnownPartners) {
  const own = useOwnPartner();
  return (
    <Paper withBorder radius="md">
      <EmptyState icon={IconPlugConnected} title="No integration yet" actions={<Actions {...known} />}>
        {own
          ? `Propose one to a ${kindWords[otherKind[own.kind]]} whose ${idWords[otherKind[own.kind]]} you know, or give it your ${idWords[own.kind]}, so that it proposes one to you.`
          : 'Create a host app and a miniapp, then propose an integration between the two. Partners with an account can propose it to each other.'}
      </EmptyState>
    </Paper>
  );
}

function Actions({ hostApps, miniapps }: KnownPartners) {
  const { role, viewAs } = useSession();
  const [creates, setCreates] = useState<PartnerKind>();
  const [proposes, setProposes] = useState(false);
  const own = useOwnPartner();
  if (own) {
    return (
      <>
        <Button onClick={() => setProposes(true)}>Propose integration</Button>
        <ProposeToDialog opened={proposes} own={own} onClose={() => setProposes(false)} />
      </>
    );
  }
  if (role !== 'operator' || viewAs) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setCreates('host-app')}>
        Create host app
      </Button>
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setCreates('miniapp')}>
        Create miniapp
      </Button>
      {hostApps.length > 0 && miniapps.length > 0 && <Button onClick={() => setProposes(true)}>Propose integration</Button>}
      <CreatePartner kind={creates} onClose={() => setCreates(undefined)} />
      <ProposeDialog opened={proposes} hostApps={hostApps} miniapps={miniapps} onClose={() => setProposes(false)} />
    </>
  );
}

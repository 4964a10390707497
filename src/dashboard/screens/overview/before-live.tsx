import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { useHostApps, useMiniapps, useReadiness } from '../integrations/integration';
import { pairName } from '../integrations/partner-names';
import type { ReadinessSummary } from '../integrations/readiness';
import styles from './overview.module.css';

/** The screen of integrations shows the rest. */
const shown = 5;

/** Integrations that are not live, most complete first, with the next step of each. Renders nothing without integrations. */
export function BeforeLive() {
  const result = useReadiness();
  const [hostApps, miniapps] = [useHostApps().data?.data ?? [], useMiniapps().data?.data ?? []];
  const all = result.data?.data ?? [];
  const isPart = result.data?.next_cursor !== undefined && result.data.next_cursor !== null;
  const inTest = all.filter(({ mode }) => mode === 'test').sort((a, b) => b.percent - a.percent);
  if (result.data && all.length === 0) return null;
  const toAll = (
    <Anchor component={Link} to="/integrations" size="sm">
      {inTest.length > shown && !isPart ? `All ${String(inTest.length)}` : 'Integrations'}
    </Anchor>
  );
  return (
    <Panel
      title="Before go-live"
      lead={`What ${isPart ? `those of the first ${String(all.length)} integrations that are` : 'integrations'} in test still wait for`}
      actions={toAll}
      flush
    >
      {result.error && <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />}
      {result.isPending && <Skeleton height={48} m="md" role="status" aria-label="Loading" />}
      {result.data && inTest.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          {isPart ? 'Each of them is live.' : 'Every integration is live.'}
        </Text>
      )}
      <ul className={styles.rows}>
        {inTest.slice(0, shown).map((one) => (
          <WaitingRow key={`${one.client_id} ${one.app_id}`} readiness={one} name={pairName(one, { hostApps, miniapps })} />
        ))}
      </ul>
    </Panel>
  );
}

function WaitingRow({ readiness, name }: { readonly readiness: ReadinessSummary; readonly name: string }) {
  const { client_id: host, app_id: app, percent, to_do: open, next } = readiness;
  return (
    <li className={styles.row}>
      <div style={{ minWidth: 0 }}>
        <Anchor component={Link} to={`/integrations/${host}/${app}`} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Anchor>
        <Text size="xs" c="dimmed">
          {next === undefined ? 'Everything is proven.' : `${next.state === 'failing' ? 'Wrong' : 'To do'}: ${next.detail}`}
          {open > 1 && ` ${String(open - 1)} more to do.`}
        </Text>
      </div>
      <StateBadge tone={next === undefined ? 'good' : next.state === 'failing' ? 'bad' : 'wait'}>{`${String(percent)} %`}</StateBadge>
    </li>
  );
}

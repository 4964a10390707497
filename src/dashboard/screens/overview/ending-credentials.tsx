import { Skeleton, Text } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import styles from './overview.module.css';

interface EndingCredential {
  readonly partner_kind: 'host-app' | 'miniapp';
  readonly partner_id: string;
  readonly credential: string;
  readonly which: string;
  readonly fingerprint: string;
  readonly valid_until: string;
  readonly last_used_at?: string;
}

/** Credentials that expire within two weeks. */
export function EndingCredentialReader() {
  const result = useRecord<{ readonly data: readonly EndingCredential[] }>('/ending-credentials');
  return (
    <Panel title="Keys that end" lead="Accepted for two more weeks at most" flush>
      {result.error && <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />}
      {result.isPending && <Skeleton height={48} m="md" role="status" aria-label="Loading" />}
      {result.data?.data.length === 0 && (
        <Text size="sm" c="dimmed" px="md" pb="md">
          None ends soon.
        </Text>
      )}
      <ul className={styles.rows}>
        {result.data?.data.map((one) => (
          <li key={`${one.partner_id} ${one.credential} ${one.which}`} className={styles.row}>
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {one.which} {one.credential.replaceAll('_', ' ')} of {one.partner_id}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                ends <TimeText at={one.valid_until} as="distance" />
                {one.last_used_at === undefined ? ', never used' : ', last used '}
                {one.last_used_at !== undefined && <TimeText at={one.last_used_at} as="distance" />}
              </Text>
            </div>
            <StateBadge tone={isSoon(one.valid_until) ? 'bad' : 'warn'}>{isSoon(one.valid_until) ? 'Within a day' : 'Soon'}</StateBadge>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const isSoon = (until: string): boolean => Date.parse(until) < Date.now() + 86_400_000;

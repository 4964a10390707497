import { Anchor, Button, Group, Progress, Skeleton, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router';
import { manage } from '../../api/manage';
import { useSession } from '../../api/session';
import { useAction } from '../../api/use-action';
import type { UseQueryResult } from '@tanstack/react-query';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import styles from './integrations.module.css';
import { LiveGate } from './live-gate';
import type { ChecklistItem, Readiness } from './readiness';

const tones: Readonly<Record<ChecklistItem['state'], Tone>> = { done: 'good', missing: 'wait', failing: 'bad', off: 'quiet' };
const words = { done: 'Done', missing: 'To do', failing: 'Wrong', off: 'Not needed' } as const;

interface ChecklistPanelProps {
  /** Path of the integration. */
  readonly path: string;
  readonly result: UseQueryResult<Readiness>;
  /** Nothing is checked or goes live before both sides agree. */
  readonly isProposed: boolean;
}

/** The checklist with proofs, and the next step. */
export function ChecklistPanel({ path, result, isProposed }: ChecklistPanelProps) {
  const { viewAs } = useSession();
  const checkUrls = useAction(() => manage('POST', `${path}/readiness/check`), { touches: [path], done: 'The URLs were checked' });
  const check = !viewAs && !isProposed && (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconRefresh size={14} />}
      loading={checkUrls.isPending}
      onClick={() => checkUrls.mutate()}
    >
      Check URLs
    </Button>
  );
  return (
    <Panel title="Readiness" lead="Computed from what happened in the last 31 days" actions={check}>
      {result.isPending && <Skeleton height={320} role="status" aria-label="Loading" />}
      {result.error && <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />}
      {result.data && <Checklist readiness={result.data} />}
      {result.data && !isProposed && <LiveGate path={path} readiness={result.data} />}
    </Panel>
  );
}

function Checklist({ readiness }: { readonly readiness: Readiness }) {
  const { percent, items } = readiness;
  const first = items.find(({ state }) => state === 'failing' || state === 'missing')?.id;
  return (
    <>
      <Group gap="sm" mb="sm" wrap="nowrap">
        <Progress value={percent} aria-label="Readiness in percent" color={percent === 100 ? 'teal' : 'blue'} flex={1} />
        <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {percent} %
        </Text>
      </Group>
      <ul className={styles.items}>
        {items.map((item) => (
          <Item key={item.id} item={item} isFirst={item.id === first} />
        ))}
      </ul>
    </>
  );
}

function Item({ item, isFirst }: { readonly item: ChecklistItem; readonly isFirst: boolean }) {
  const { title, state, detail, at, exchange_id, payment_id, delivery_id } = item;
  const proof = exchange_id !== undefined ? `/requests/${exchange_id}` : payment_id !== undefined ? `/payments/${payment_id}` : undefined;
  const to = proof ?? (delivery_id === undefined ? undefined : `/deliveries/${delivery_id}`);
  return (
    <li className={styles.item} data-first={isFirst}>
      <StateBadge tone={tones[state]}>{words[state]}</StateBadge>
      <div>
        <Text size="sm" fw={500}>
          {title}
          {isFirst && ' – next'}
        </Text>
        <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
          {detail}
          {at !== undefined && (
            <>
              {' '}
              <TimeText at={at} />
            </>
          )}
        </Text>
      </div>
      {to !== undefined && (
        <Anchor component={Link} to={to} size="xs" aria-label={`Proof: ${title}`}>
          Proof
        </Anchor>
      )}
    </li>
  );
}

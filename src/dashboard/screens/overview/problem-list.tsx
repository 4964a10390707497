import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconBell, IconBellOff, IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { manage, type Query } from '../../api/manage';
import { useSession } from '../../api/session';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import { ConfirmAction } from '../../parts/confirm-action';
import { EmptyState } from '../../parts/empty-state';
import { Panel } from '../../parts/panel';
import { plural } from '../../parts/plural';
import { ProblemAlert } from '../../parts/problem-alert';
import { useRange } from '../../parts/range/use-range';
import { filteredPath } from '../../parts/records/filters';
import { StateBadge, type Tone } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import styles from './overview.module.css';

interface FoundProblem {
  readonly error_code: string;
  readonly failed_side?: string;
  readonly failed_step?: string;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly state: 'open' | 'past' | 'muted';
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly acts?: 'nobody' | 'hostapp' | 'miniapp' | 'platform' | 'operator';
  readonly sentence?: string;
  readonly next?: string;
  readonly exchange_id?: string;
  readonly muted?: { readonly by: string; readonly reason: string; readonly at: string };
}

const actors = { nobody: 'Nobody', hostapp: 'Host app', miniapp: 'Miniapp', platform: 'Pierhead', operator: 'Operator' } as const;
const tones: Readonly<Record<FoundProblem['state'], Tone>> = { open: 'bad', past: 'quiet', muted: 'quiet' };
const words = { open: 'Open', past: 'Over', muted: 'Muted' } as const;

interface ProblemListProps {
  readonly query?: Query;
  /** Number of open problems before "show more"; all by default. */
  readonly first?: number;
}

/** Failures grouped by cause, with the side that has to act. */
export function ProblemList({ query = {}, first = Infinity }: ProblemListProps) {
  const result = useRecord<{ readonly data: readonly FoundProblem[] }>('/problems', { query, ranged: true, live: 'exchanges' });
  const [shown, setShown] = useState('open');
  const all = result.data?.data ?? [];
  const problems = all.filter(({ state }) => shown === 'all' || state === 'open');
  const open = all.filter(({ state }) => state === 'open').length;
  const choice = (
    <SegmentedControl
      size="xs"
      value={shown}
      onChange={setShown}
      aria-label="Which problems"
      data={[
        { value: 'open', label: `Open (${String(open)})` },
        { value: 'all', label: `All (${String(all.length)})` },
      ]}
    />
  );
  return (
    <Panel title="Problems" lead="Failures by cause, and who has to act" actions={choice} flush>
      {result.isPending && <Skeleton height={120} m="md" role="status" aria-label="Loading" />}
      {result.error && <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />}
      {result.data && problems.length === 0 && (
        <EmptyState icon={IconCircleCheck} title="No open problems">
          {all.length > 0 ? 'What failed in this range is over, or muted.' : 'Nothing failed in this range.'}
        </EmptyState>
      )}
      <ProblemRows problems={problems} first={shown === 'all' ? Infinity : first} />
    </Panel>
  );
}

function ProblemRows({ problems, first }: { readonly problems: readonly FoundProblem[]; readonly first: number }) {
  const [isWhole, setWhole] = useState(false);
  // One more problem takes no more space than the button.
  const isLong = problems.length > first + 1;
  return (
    <>
      {problems.slice(0, isWhole || !isLong ? Infinity : first).map((problem) => (
        <ProblemRow key={keyOf(problem)} problem={problem} />
      ))}
      {isLong && (
        <div className={styles.more}>
          <Button variant="subtle" size="compact-sm" aria-expanded={isWhole} onClick={() => setWhole((was) => !was)}>
            {isWhole ? `Show the first ${String(first)}` : `Show ${String(problems.length - first)} more`}
          </Button>
        </div>
      )}
    </>
  );
}

const keyOf = ({ error_code, failed_side, failed_step, client_id, app_id }: FoundProblem): string =>
  [error_code, failed_side, failed_step, client_id, app_id].join(' ');

function ProblemRow({ problem }: { readonly problem: FoundProblem }) {
  const { state, error_code, sentence, next, client_id, app_id, count, first_at, last_at, acts = 'operator', muted } = problem;
  return (
    <article className={styles.problem} data-muted={state !== 'open'}>
      <Stack gap={4} miw={0}>
        <Group gap="xs">
          <StateBadge tone={tones[state]}>{words[state]}</StateBadge>
          <Text fw={600} size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {error_code === '' ? 'No error code' : error_code}
          </Text>
          <StateBadge tone={acts === 'operator' || acts === 'platform' ? 'warn' : 'info'}>{`${actors[acts]} acts`}</StateBadge>
        </Group>
        {sentence !== undefined && <Text size="sm">{sentence}</Text>}
        {next !== undefined && (
          <Text size="sm" c="dimmed">
            {next}
          </Text>
        )}
        <Text size="xs" c="dimmed" component="div" style={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}>
          {count === 1 ? 'Once' : plural(count, 'time')} · first <TimeText at={first_at} /> · last <TimeText at={last_at} as="distance" />
          {(client_id ?? app_id) !== undefined && ` · ${client_id ?? 'unknown'} × ${app_id ?? 'unknown'}`}
        </Text>
        {muted && (
          <Text size="xs" c="dimmed">
            Muted by {muted.by}: {muted.reason}
          </Text>
        )}
      </Stack>
      <ProblemActions problem={problem} />
    </article>
  );
}

function ProblemActions({ problem }: { readonly problem: FoundProblem }) {
  const { error_code, client_id, app_id, exchange_id } = problem;
  const { role, viewAs } = useSession();
  const { query } = useRange();
  const list = filteredPath('/requests', { error_code: error_code === '' ? undefined : error_code, client_id, app_id, ...query() });
  const what = nameOf(problem);
  return (
    <div className={styles.actions}>
      {exchange_id !== undefined && (
        <Button component={Link} to={`/requests/${exchange_id}`} size="compact-sm" aria-label={`Last request of ${what}`}>
          Last request
        </Button>
      )}
      <Button component={Link} to={list} size="compact-sm" variant="default" aria-label={`Requests of ${what}`}>
        Requests
      </Button>
      {role === 'operator' && !viewAs && <MuteButton problem={problem} />}
    </div>
  );
}

const nameOf = ({ error_code }: FoundProblem): string => (error_code === '' ? 'the problem' : error_code);

/** Mutes or unmutes a problem. */
function MuteButton({ problem }: { readonly problem: FoundProblem }) {
  const [isMuting, setMuting] = useState(false);
  const unmute = useAction(() => manage('POST', '/problems/unmute', { body: keyBody(problem) }), {
    ...{ touches: ['/problems'], done: 'The problem is told of again' },
  });
  const isMuted = problem.state === 'muted';
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={isMuted ? <IconBell size={14} /> : <IconBellOff size={14} />}
        aria-label={`${isMuted ? 'Unmute' : 'Mute'} ${nameOf(problem)}`}
        onClick={() => (isMuted ? unmute.mutate() : setMuting(true))}
      >
        {isMuted ? 'Unmute' : 'Mute'}
      </Button>
      <MuteDialog problem={problem} opened={isMuting} onClose={() => setMuting(false)} />
    </>
  );
}

const keyBody = ({ error_code, failed_side, failed_step, client_id, app_id }: FoundProblem) => ({
  ...{ error_code, failed_side, failed_step, client_id, app_id },
});

function MuteDialog({
  problem,
  opened,
  onClose,
}: {
  readonly problem: FoundProblem;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const mute = useAction((reason: string) => manage('POST', '/problems/mute', { body: { ...keyBody(problem), reason } }), {
    ...{ touches: ['/problems'], done: 'The problem is muted', showsErrors: false },
  });
  return (
    <ConfirmAction
      opened={opened}
      onClose={onClose}
      title="Mute this problem"
      action="Mute"
      reason="required"
      onConfirm={(reason) => mute.mutateAsync(reason)}
    >
      It leaves the list of open problems until it is unmuted. Requests and figures stay as they are.
    </ConfirmAction>
  );
}

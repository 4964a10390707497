import { Progress, Stack, Text } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import type { LimitUse } from './operator-model';

/** Use of each limit by its busiest caller in the current minute. */
export function LimitsPanel() {
  const { data, error, refetch } = useRecord<{ data: readonly LimitUse[] }>('/operations/limits', { everyMs: 10_000 });
  return (
    <Panel title="Rate limits" lead="In the present minute: the busiest caller of each">
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <Stack gap="sm">
        {(data?.data ?? []).map(({ limit, allowed, subjects, busiest, reached }) => (
          <div key={limit}>
            <Text
              size="sm"
              style={{ display: 'flex', justifyContent: 'space-between', fontVariantNumeric: 'tabular-nums' }}
              component="div"
            >
              <span>{limit}</span>
              <span>
                {busiest} of {allowed}
                {subjects > 0 && `, ${String(subjects)} ${subjects === 1 ? 'caller' : 'callers'}`}
                {reached > 0 && `, ${String(reached)} refused`}
              </span>
            </Text>
            <Progress
              value={Math.min(100, (busiest / Math.max(1, allowed)) * 100)}
              color={reached > 0 ? 'red' : busiest / allowed > 0.8 ? 'yellow' : 'teal'}
              size="sm"
              aria-label={`${limit}: ${String(busiest)} of ${String(allowed)}`}
            />
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

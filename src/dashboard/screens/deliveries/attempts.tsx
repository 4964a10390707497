import { Box, Group, Table, Text } from '@mantine/core';
import { DotTimeline, type Dot } from '../../parts/charts/dot-timeline';
import { StateBadge } from '../../parts/state-badge';
import { TimeText } from '../../parts/time-text';
import { lengthWords } from '../../parts/time-words';
import { answerWords, isReceipt, type Attempt, type DeliveryDetail } from './delivery-model';

const reasons: Readonly<Record<Attempt['reason'], string>> = {
  schedule: 'it was due',
  probe: 'a probe of an endpoint in trouble',
  release: 'the endpoint is back',
  operator: 'asked for by hand',
};

/** Maximum planned attempts in the drawing. */
const plannedShown = 4;

const toneOf = (attempt: Attempt): 'good' | 'warn' | 'bad' =>
  isReceipt(attempt) ? 'good' : attempt.status !== undefined && attempt.status < 500 ? 'bad' : 'warn';

/** The attempts and the next planned ones as dots on a time axis. */
export function AttemptTimeline({ delivery: { attempts, planned = [], created_at: created } }: { readonly delivery: DeliveryDetail }) {
  const made: Dot[] = attempts.map((attempt, i) => ({
    at: Date.parse(attempt.at),
    tone: toneOf(attempt),
    words: `Attempt ${String(i + 1)}: ${answerWords(attempt)} in ${lengthWords(attempt.ms)}`,
  }));
  const next: Dot[] = planned.slice(0, plannedShown).map((at) => ({ at: Date.parse(at), tone: 'planned', words: 'Planned' }));
  return (
    <>
      <Box style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="Attempts on a time axis">
        <Box miw={280}>
          <DotTimeline from={Date.parse(created)} dots={[...made, ...next]} title="Attempts" />
        </Box>
      </Box>
      <Group gap="md" mt={4}>
        <Text size="xs" c="dimmed">
          ✓ received · ! no answer or a server error · × refused · hollow: planned
          {planned.length > plannedShown ? ` (${String(planned.length - plannedShown)} more follow)` : ''}
        </Text>
      </Group>
    </>
  );
}

/** Each attempt with its outcome, latest first. */
export function AttemptTable({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed" p="md" pt={0}>
        Nothing was attempted yet.
      </Text>
    );
  }
  return (
    <Box style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="Each attempt">
      <Table miw={620} verticalSpacing="xs" horizontalSpacing="md" style={{ fontVariantNumeric: 'tabular-nums' }}>
        <Table.Thead>
          <Table.Tr>
            {['#', 'Time', 'Result', 'Answer', 'Took', 'Why then'].map((head) => (
              <Table.Th key={head} scope="col">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map((attempt, i) => <AttemptRow key={attempt.at} attempt={attempt} number={i + 1} />).reverse()}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function AttemptRow({ attempt, number }: { readonly attempt: Attempt; readonly number: number }) {
  const tone = toneOf(attempt);
  return (
    <Table.Tr>
      <Table.Td>{number}</Table.Td>
      <Table.Td>
        <TimeText at={attempt.at} as="precise" />
      </Table.Td>
      <Table.Td>
        <StateBadge tone={tone}>{tone === 'good' ? 'received' : tone === 'bad' ? 'refused' : 'failed'}</StateBadge>
      </Table.Td>
      <Table.Td>{answerWords(attempt)}</Table.Td>
      <Table.Td>{lengthWords(attempt.ms)}</Table.Td>
      <Table.Td>{reasons[attempt.reason]}</Table.Td>
    </Table.Tr>
  );
}

import { Accordion, Group, Stack, Text, Title } from '@mantine/core';
import { DetailList } from '../../parts/detail-list';
import { StateBadge } from '../../parts/state-badge';
import { StartScenario } from './start-scenario';
import type { Partner } from './chosen-partner';
import { VerdictDots } from './verdict-dots';
import { type FullRun, type Result, type Run, type Scenario, verdictTone, verdictWords } from './conformance-model';

interface ScenariosPanelProps {
  readonly partner: Partner;
  readonly scenarios: readonly Scenario[];
  /** Newest first. */
  readonly runs: readonly Run[];
  readonly last: FullRun | undefined;
}

/** All scenarios by group, with the last result, earlier results, and a description. */
export function ScenariosPanel({ partner, scenarios, runs, last }: ScenariosPanelProps) {
  const groups = [...new Set(scenarios.map(({ group }) => group))];
  const results = new Map((last?.results ?? []).map((result) => [result.id, result]));
  return (
    <Stack gap="lg">
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <Title order={2} fz="md" mb="xs">
            {groupTitle(group)}
          </Title>
          <Accordion
            variant="contained"
            chevronPosition="left"
            bg="var(--mantine-color-body)"
            style={{ borderRadius: 'var(--mantine-radius-md)' }}
          >
            {scenarios
              .filter((scenario) => scenario.group === group)
              .map((scenario) => (
                <Accordion.Item key={scenario.id} value={scenario.id}>
                  <Accordion.Control>
                    <ScenarioHead scenario={scenario} result={results.get(scenario.id)} runs={runs} />
                  </Accordion.Control>
                  <Accordion.Panel>
                    <ScenarioDetails scenario={scenario} result={results.get(scenario.id)} />
                    <StartScenario partner={partner} id={scenario.id} />
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
          </Accordion>
        </section>
      ))}
    </Stack>
  );
}

const groupTitle = (group: string): string =>
  group === 'sign-on' ? 'Sign-on' : group.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());

function ScenarioHead({
  scenario,
  result,
  runs,
}: {
  readonly scenario: Scenario;
  readonly result: Result | undefined;
  readonly runs: readonly Run[];
}) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" style={{ flex: '1 1 200px' }}>
        {scenario.title}
      </Text>
      <Group gap="xs">
        <VerdictDots verdicts={runs.map(({ verdicts }) => verdicts[scenario.id])} />
        {result && (
          <>
            <Text span size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
              {result.ms} ms
            </Text>
            <StateBadge tone={verdictTone[result.verdict]}>{verdictWords[result.verdict]}</StateBadge>
          </>
        )}
      </Group>
    </Group>
  );
}

function ScenarioDetails({ scenario, result }: { readonly scenario: Scenario; readonly result: Result | undefined }) {
  return (
    <DetailList
      items={[
        ['Sent', scenario.sent],
        ['Expected', scenario.expected],
        ['Came', result && result.came.length > 0 ? <Came lines={result.came} /> : undefined],
        ['Why', result?.reason],
        ['What to do', result?.fix],
        ['Contract', `${scenario.section}: ${scenario.quote}`],
      ]}
    />
  );
}

function Came({ lines }: { readonly lines: readonly string[] }) {
  return (
    <Stack gap={2}>
      {lines.map((line, i) => (
        <Text key={i} ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
          {line}
        </Text>
      ))}
    </Stack>
  );
}

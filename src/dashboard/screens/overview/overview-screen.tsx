import { SimpleGrid, Stack } from '@mantine/core';
import { useRecord } from '../../api/use-record';
import { totalOf } from '../../parts/figures/figures';
import { RefusalsChart, SuccessChart, TrafficChart } from '../../parts/figures/traffic-charts';
import { PageHead } from '../../parts/page-head';
import { BeforeLive } from './before-live';
import { CallTiles, type CallFigures } from './call-tiles';
import { EndingCredentialReader } from './ending-credentials';
import { NoTraffic } from './no-traffic';
import { ProblemList } from './problem-list';
import { SlowestPartners } from './slowest-partners';

/** The state of the traffic, and problems that need attention. */
export default function OverviewScreen() {
  const calls = useRecord<CallFigures>('/figures/calls', { ranged: true, live: 'exchanges' });
  const hasTraffic = calls.data === undefined || calls.data.data.some((call) => totalOf(call) > 0);
  return (
    <>
      <PageHead title="Overview" lead="How requests between host apps and miniapps go, and what needs attention." />
      <Stack gap="md">
        <CallTiles result={calls} />
        {!hasTraffic && <NoTraffic />}
        <ProblemList first={3} />
        {hasTraffic && (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <TrafficChart />
            <SuccessChart />
            <RefusalsChart />
            <Stack gap="md">
              <SlowestPartners />
              <BeforeLive />
              <EndingCredentialReader />
            </Stack>
          </SimpleGrid>
        )}
        {!hasTraffic && (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <BeforeLive />
            <EndingCredentialReader />
          </SimpleGrid>
        )}
      </Stack>
    </>
  );
}

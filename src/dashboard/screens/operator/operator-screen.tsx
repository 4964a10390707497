import { SimpleGrid, Stack } from '@mantine/core';
import { PageHead } from '../../parts/page-head';
import { BacklogPanel } from './backlog-panel';
import { InstancesPanel } from './instances-panel';
import { KeysPanel } from './keys-panel';
import { EndpointQueuesPanel } from './endpoint-queues-panel';
import { LimitsPanel } from './limits-panel';
import { StandingPanel } from './standing-panel';

/** The service itself: instances, waiting work, failing endpoints, limits, the database and the key ring. */
export default function OperatorScreen() {
  return (
    <>
      <PageHead title="Operator" lead="Pierhead itself: instances, what waits to be delivered, limits, the database and its keys." />
      <Stack gap="lg">
        <InstancesPanel />
        <BacklogPanel />
        <EndpointQueuesPanel />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <LimitsPanel />
          <StandingPanel />
        </SimpleGrid>
        <KeysPanel />
      </Stack>
    </>
  );
}

import { SimpleGrid, Stack } from '@mantine/core';
import { PageHead } from '../../parts/page-head';
import { BacklogPanel } from './backlog-panel';
import { InstancesPanel } from './instances-panel';
import { KeysPanel } from './keys-panel';
import { LanesPanel } from './lanes-panel';
import { LimitsPanel } from './limits-panel';
import { StandingPanel } from './standing-panel';

/** What the service runs on: its instances, what waits, endpoints in trouble, limits, the database and its keys. */
export default function OperatorScreen() {
  return (
    <>
      <PageHead title="Operator" lead="Pierhead itself: instances, what waits to be delivered, limits, the database and its keys." />
      <Stack gap="lg">
        <InstancesPanel />
        <BacklogPanel />
        <LanesPanel />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <LimitsPanel />
          <StandingPanel />
        </SimpleGrid>
        <KeysPanel />
      </Stack>
    </>
  );
}

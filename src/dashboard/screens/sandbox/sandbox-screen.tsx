import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconFlaskOff } from '@tabler/icons-react';
import { useState } from 'react';
import { manage } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { useRecord } from '../../api/use-record';
import { ScreenSkeleton } from '../../parts/screen-skeleton';
import { ConfirmAction } from '../../parts/confirm-action';
import { EmptyState } from '../../parts/empty-state';
import { PageHead } from '../../parts/page-head';
import { ProblemAlert } from '../../parts/problem-alert';
import { ClockPanel } from './clock-panel';
import { MagicPanel } from './magic-panel';
import { PartnerPanel } from './partner-panel';
import { DemoPanel } from './demo-panel';
import type { Sandbox } from './sandbox-model';

/** Both simulated partners: their pages, faults, clock and magic values, and the demo through all of it. */
export default function SandboxScreen() {
  const { data, error, isPending, refetch } = useRecord<Sandbox>('/sandbox', { everyMs: 10_000 });
  if (isPending) return <ScreenSkeleton />;
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (!data.available) return <SwitchedOff />;
  return (
    <>
      <PageHead
        title="Sandbox"
        lead="A simulated host app and a simulated miniapp beside Pierhead, to try everything without a partner."
        actions={<Reset />}
      />
      <Stack gap="lg">
        <DemoPanel />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          {(data.partners ?? []).map((partner) => (
            <PartnerPanel key={partner.id} partner={partner} />
          ))}
        </SimpleGrid>
        {data.clock && <ClockPanel clock={data.clock} />}
        {data.magic_values && <MagicPanel values={data.magic_values.data} />}
      </Stack>
    </>
  );
}

function SwitchedOff() {
  return (
    <>
      <PageHead title="Sandbox" />
      <EmptyState icon={IconFlaskOff} title="The sandbox is off">
        The simulated partners answer with made-up users and payments, so they run beside a development service only: not in production, not
        with <code>SANDBOX=off</code>, and on the ports that <code>SANDBOX_PORT</code> chooses. To try something, start a service of your
        own with <code>npm start</code>.
      </EmptyState>
    </>
  );
}

function Reset() {
  const [isConfirming, setConfirming] = useState(false);
  const reset = useAction(() => manage('POST', '/sandbox/reset'), {
    touches: ['/sandbox'],
    done: 'The simulated partners have forgotten everything',
    showsErrors: false,
  });
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        Reset
      </Button>
      <ConfirmAction
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Reset the sandbox"
        action="Reset"
        danger
        onConfirm={() => reset.mutateAsync()}
      >
        Both simulated partners forget the calls, events and orders that they received, and all faults are switched off. What Pierhead has
        recorded stays.
      </ConfirmAction>
    </>
  );
}

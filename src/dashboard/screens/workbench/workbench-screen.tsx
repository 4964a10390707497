import { Grid, SimpleGrid, Stack, Tabs } from '@mantine/core';
import { IconLockOpen, IconSignature } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { PageHead } from '../../parts/page-head';
import { CodePanel } from './code-panel';
import { PayloadTab } from './payload-tab';
import { RequestPanel } from './request-panel';
import { ResultPanel } from './result-panel';
import { SchemePanel } from './scheme-panel';
import { useWorkbench } from './use-workbench';

/** Builds, checks and explains signatures and encrypted payloads. */
export default function WorkbenchScreen() {
  return (
    <>
      <PageHead
        title="Signature workbench"
        lead="Build a signature step by step, find out why one was refused, open an encrypted payload."
      />
      <Tabs defaultValue="signature" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="signature" leftSection={<IconSignature size={16} aria-hidden />}>
            Signature
          </Tabs.Tab>
          <Tabs.Tab value="payload" leftSection={<IconLockOpen size={16} aria-hidden />}>
            AES payload
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="signature">
          <SignatureTab />
        </Tabs.Panel>
        <Tabs.Panel value="payload">
          <PayloadTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Starts with a correctly signed sample, or with a kept request from the URL. */
function SignatureTab() {
  const workbench = useWorkbench();
  const [search] = useSearchParams();
  const exchangeId = search.get('exchange');
  const began = useRef(false);
  const { sign, load } = workbench;
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    if (exchangeId === null) sign.mutate();
    else load.mutate(exchangeId);
  }, [exchangeId, sign, load]);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <SchemePanel workbench={workbench} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="md" miw={0}>
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
            <RequestPanel workbench={workbench} />
            <ResultPanel workbench={workbench} />
          </SimpleGrid>
          <CodePanel workbench={workbench} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

import { Button, Stack, Tabs } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { ScreenSkeleton } from '../../parts/screen-skeleton';
import { EmptyState } from '../../parts/empty-state';
import { PageHead } from '../../parts/page-head';
import { DaysPanel } from './days-panel';
import { DifferencesList } from './differences-list';
import { type Pair, PairSelect, usePair } from './pair-select';
import { TransactionsList } from './transactions-list';

/** A miniapp's reports, compared with relayed payments. */
export default function AnalyticsScreen() {
  const { pairs, pair, isPending } = usePair();
  if (isPending) return <ScreenSkeleton />;
  return (
    <>
      <PageHead title="Analytics" lead="Transactions that miniapps report, compared with the payments that were relayed. Sums are exact." />
      {pair === undefined ? (
        <NoIntegration />
      ) : (
        <Stack gap="lg">
          <PairSelect pairs={pairs} pair={pair} />
          <DaysPanel pair={pair} />
          <Lists pair={pair} />
        </Stack>
      )}
    </>
  );
}

function NoIntegration() {
  const actions = (
    <Button component={Link} to="/integrations">
      To the integrations
    </Button>
  );
  return (
    <EmptyState icon={IconPlugConnected} title="No integration yet" actions={actions}>
      A miniapp reports transactions for an integration.
    </EmptyState>
  );
}

function Lists({ pair }: { readonly pair: Pair }) {
  const [search, setSearch] = useSearchParams();
  const show = (tab: string | null): void =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set('show', tab ?? 'transactions');
      return after;
    });
  return (
    <Tabs value={search.get('show') ?? 'transactions'} onChange={show} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="transactions">Reported</Tabs.Tab>
        <Tabs.Tab value="differences">Differences</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="transactions">
        <TransactionsList pair={pair} />
      </Tabs.Panel>
      <Tabs.Panel value="differences">
        <DifferencesList pair={pair} />
      </Tabs.Panel>
    </Tabs>
  );
}

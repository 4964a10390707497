import { Box, Button } from '@mantine/core';
import { IconFlask, IconSend } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { useSession } from '../../api/session';
import { EmptyState } from '../../parts/empty-state';
import { PageHead } from '../../parts/page-head';
import { filtersIn } from '../../parts/records/filters';
import { RecordList } from '../../parts/records/record-list';
import { BatchesPanel } from './batches-panel';
import { DeliveryCharts } from './delivery-charts';
import { deliveryColumns, deliveryFilters, ResendOne } from './delivery-columns';
import type { Delivery } from './delivery-model';
import { EndpointQueuesPanel } from './endpoint-queues-panel';
import { ResendMany } from './resend-many';

const partners = deliveryFilters.filter(({ name }) => name === 'client_id' || name === 'app_id');

/** Fits as many columns as possible, and stretches them to fill the row. */
const sideBySide = {
  display: 'grid',
  gap: 'var(--mantine-spacing-md)',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 420px), 1fr))',
};

export default function DeliveriesScreen() {
  const [search] = useSearchParams();
  const { role } = useSession();
  return (
    <>
      <PageHead
        title="Deliveries"
        lead="Completions and durable events that a partner must receive: attempted until they are received, or seven days are over."
        actions={role === 'operator' && <ResendMany />}
      />
      <DeliveryCharts query={filtersIn(search, partners)} />
      <Box mb="md" style={sideBySide}>
        <EndpointQueuesPanel />
        {role === 'operator' && <BatchesPanel />}
      </Box>
      <RecordList<Delivery>
        title="Deliveries"
        path="/deliveries"
        ranged
        live="deliveries"
        idOf={({ id }) => id}
        linkOf={({ id }) => `/deliveries/${id}`}
        filters={deliveryFilters}
        columns={deliveryColumns}
        actionsOf={(delivery) => <ResendOne delivery={delivery} />}
        empty={<NothingDelivered />}
      />
    </>
  );
}

function NothingDelivered() {
  const { environment, role } = useSession();
  const test = (
    <Button component={Link} to="/sandbox" leftSection={<IconFlask size={16} />}>
      Send a test event
    </Button>
  );
  return (
    <EmptyState icon={IconSend} title="Nothing delivered yet" actions={environment === 'test' && role === 'operator' ? test : undefined}>
      The completion of a payment, and each durable event, appears here with every attempt to deliver it.
    </EmptyState>
  );
}

import { Button } from '@mantine/core';
import { IconCreditCard, IconFlask } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { useSession } from '../../api/session';
import { EmptyState } from '../../parts/empty-state';
import { PageHead } from '../../parts/page-head';
import { filtersIn } from '../../parts/records/filters';
import { RecordList } from '../../parts/records/record-list';
import { PaymentCharts } from './payment-charts';
import { paymentColumns, paymentFilters } from './payment-columns';
import { PaymentRowActions } from './payment-row-actions';
import type { Payment } from './payment-model';

const partners = paymentFilters.filter(({ name }) => name === 'client_id' || name === 'app_id');

export default function PaymentsScreen() {
  const [search] = useSearchParams();
  return (
    <>
      <PageHead title="Payments" lead="What miniapps asked to be paid, how it ended at the host app, and whether the miniapp knows." />
      <PaymentCharts query={filtersIn(search, partners)} />
      <RecordList<Payment>
        title="Payments"
        path="/payments"
        ranged
        live="payments"
        idOf={({ id }) => id}
        linkOf={({ id }) => `/payments/${id}`}
        filters={paymentFilters}
        columns={paymentColumns}
        actionsOf={(payment) => <PaymentRowActions payment={payment} />}
        empty={<NoPayments />}
      />
    </>
  );
}

function NoPayments() {
  const { environment, role } = useSession();
  const isTest = environment === 'test' && role === 'operator';
  const demo = (
    <Button component={Link} to="/sandbox" leftSection={<IconFlask size={16} />}>
      Make a demo payment
    </Button>
  );
  return (
    <EmptyState icon={IconCreditCard} title="No payments yet" actions={isTest ? demo : undefined}>
      {isTest
        ? 'The sandbox plays the host app and the miniapp: a demo payment goes the whole way and appears here.'
        : 'The first payment appears here as soon as the miniapp calls create-order-payment.'}
    </EmptyState>
  );
}

import { Anchor, Button, SimpleGrid, Stack } from '@mantine/core';
import { IconMessageQuestion, IconRoute, IconSend } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { pathOf } from '../../api/manage';
import { useRecord } from '../../api/use-record';
import { ScreenSkeleton } from '../../parts/screen-skeleton';
import { Facts } from '../../parts/facts';
import { PageHead } from '../../parts/page-head';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { ShortId } from '../../parts/short-id';
import { TimeText } from '../../parts/time-text';
import { Conflicts } from './conflicts';
import { amountText, badge, pairText } from './payment-columns';
import { NoticePanel } from './notice-panel';
import { PaymentLine } from './payment-line';
import { canAsk, hostStateOf, noticeOf, stateOf, type PaymentDetail } from './payment-wire';
import { usePaymentDeeds } from './use-payment-deeds';

export default function PaymentScreen() {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useRecord<PaymentDetail>(pathOf('payments', id), { live: 'payments' });
  if (isPending) return <ScreenSkeleton />;
  if (!data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="md">
      <PageHead
        title={data.unreadable ? 'Payment, unreadable' : `Payment ${data.amount} ${data.currency}`}
        lead={<ShortId id={data.id} what="payment id" ends={20} />}
        back={back}
        deeds={<Deeds payment={data} />}
      />
      <Panel title="State">
        <PaymentLine payment={data} />
      </Panel>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Panel title="Payment">
          <PaymentFacts payment={data} />
        </Panel>
        <Panel title="Reconciler" lead="Asks the host app where no completion comes">
          <Plan payment={data} />
        </Panel>
      </SimpleGrid>
      <Conflicts payment={data} />
      {data.notice !== undefined && <NoticePanel paymentId={data.id} />}
    </Stack>
  );
}

const back = { to: '/payments', title: 'Payments' };

function Deeds({ payment }: { readonly payment: PaymentDetail }) {
  const { ask, resend } = usePaymentDeeds();
  return (
    <>
      <Button variant="default" component={Link} to={`/requests/payment/${payment.id}`} leftSection={<IconRoute size={16} />}>
        Timeline
      </Button>
      <Button
        variant="default"
        leftSection={<IconSend size={16} />}
        disabled={payment.notice === undefined}
        loading={resend.isPending}
        onClick={() => resend.mutate(payment.id)}
      >
        Resend completion
      </Button>
      <Button
        leftSection={<IconMessageQuestion size={16} />}
        disabled={!canAsk(payment)}
        loading={ask.isPending}
        onClick={() => ask.mutate(payment.id)}
      >
        Ask status now
      </Button>
    </>
  );
}

function PaymentFacts({ payment }: { readonly payment: PaymentDetail }) {
  const { order_id: order, order_payment_id: atHost, created_at: created, settled_at: settled } = payment;
  return (
    <Facts
      facts={[
        ['State', badge(stateOf(payment))],
        ['Amount', amountText(payment)],
        ['Order', order && <ShortId id={order} what="order id" ends={8} />],
        ['Order payment', atHost && <ShortId id={atHost} what="order payment id" ends={8} />],
        ['Integration', pairText(payment)],
        ['Created', <TimeText key="created" at={created} as="whole" />],
        ['Result', settled && <TimeText at={settled} as="whole" />],
        [
          'Notice to the miniapp',
          payment.notice && (
            <Anchor component={Link} to={`/deliveries/${payment.id}`}>
              {badge(noticeOf(payment))}
            </Anchor>
          ),
        ],
      ]}
    />
  );
}

function Plan({ payment }: { readonly payment: PaymentDetail }) {
  const { asks, last_ask_at: asked, last_outcome: said, next_ask_at: next, status } = payment;
  const idle = status === 'in_process' ? 'No ask is planned' : 'None: the result is known';
  return (
    <Facts
      facts={[
        ['Next ask', next === undefined ? idle : <TimeText at={next} as="distance" />],
        ['Asks so far', String(asks)],
        ['Last ask', asked && <TimeText at={asked} as="whole" />],
        ['The host app said', said?.replaceAll('_', ' ')],
        ['Compared with ours', badge(hostStateOf(payment))],
      ]}
    />
  );
}

import { Anchor, Button, SimpleGrid, Stack } from '@mantine/core';
import { IconMessageQuestion, IconRoute, IconSend } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import { pathOf } from '../../api/manage';
import { useRecord } from '../../api/use-record';
import { ScreenSkeleton } from '../../parts/screen-skeleton';
import { DetailList } from '../../parts/detail-list';
import { PageHead } from '../../parts/page-head';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { ShortId } from '../../parts/short-id';
import { TimeText } from '../../parts/time-text';
import { Conflicts } from './conflicts';
import { amountText, badge, pairText } from './payment-columns';
import { NoticePanel } from './notice-panel';
import { PaymentLine } from './payment-line';
import { canPoll, hostStateOf, noticeOf, stateOf, type PaymentDetail } from './payment-model';
import { usePaymentActions } from './use-payment-actions';

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
        actions={<Actions payment={data} />}
      />
      <Panel title="State">
        <PaymentLine payment={data} />
      </Panel>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Panel title="Payment">
          <PaymentSummary payment={data} />
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

function Actions({ payment }: { readonly payment: PaymentDetail }) {
  const { poll, resend } = usePaymentActions();
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
        disabled={!canPoll(payment)}
        loading={poll.isPending}
        onClick={() => poll.mutate(payment.id)}
      >
        Ask status now
      </Button>
    </>
  );
}

function PaymentSummary({ payment }: { readonly payment: PaymentDetail }) {
  const { order_id: order, order_payment_id: atHost, created_at: created, settled_at: settled } = payment;
  return (
    <DetailList
      items={[
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
  const { polls, last_poll_at: last, last_outcome: outcome, next_poll_at: next, status } = payment;
  const idle = status === 'in_process' ? 'No poll is planned' : 'None: the result is known';
  return (
    <DetailList
      items={[
        ['Next poll', next === undefined ? idle : <TimeText at={next} as="distance" />],
        ['Polls so far', String(polls)],
        ['Last poll', last && <TimeText at={last} as="whole" />],
        ['The host app said', outcome?.replaceAll('_', ' ')],
        ['Compared with ours', badge(hostStateOf(payment))],
      ]}
    />
  );
}

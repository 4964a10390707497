import { Anchor, Button, SimpleGrid, Stack } from '@mantine/core';
import { IconBan, IconRoute, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { pathOf } from '../../api/manage';
import { useRecord } from '../../api/use-record';
import { ScreenSkeleton } from '../../parts/screen-skeleton';
import { ConfirmAction } from '../../parts/confirm-action';
import { DetailList } from '../../parts/detail-list';
import { PageHead } from '../../parts/page-head';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { ShortId } from '../../parts/short-id';
import { TimeText } from '../../parts/time-text';
import { AttemptTable, AttemptTimeline } from './attempts';
import { stateBadge } from './delivery-columns';
import { queueWords, type DeliveryDetail } from './delivery-model';
import { useDeliveryActions } from './use-delivery-actions';

const back = { to: '/deliveries', title: 'Deliveries' };

export default function DeliveryScreen() {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useRecord<DeliveryDetail>(pathOf('deliveries', id), { live: 'deliveries' });
  if (isPending) return <ScreenSkeleton />;
  if (!data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  const title = data.kind === 'completion' ? 'Completion' : 'Event';
  return (
    <Stack gap="md">
      <PageHead
        title={`${title} to the ${data.receiver === 'hostapp' ? 'host app' : 'miniapp'}`}
        lead={<ShortId id={data.id} what="delivery id" ends={20} />}
        back={back}
        actions={<Actions delivery={data} />}
      />
      <Panel title="Attempts" lead="On an axis whose steps grow; hollow ones are planned">
        <AttemptTimeline delivery={data} />
      </Panel>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Panel title="Delivery">
          <DeliverySummary delivery={data} />
        </Panel>
        <Panel title="Request and response" lead="What is kept of them">
          <DetailList
            items={[
              ['Body', 'Sealed, and not shown: it may tell of a person. The same bytes leave at every attempt.'],
              ['Signature', 'Made anew at every attempt, with the key that was current then; keys and their ids stand under Credentials.'],
              ['Answers', 'Status, code, cause and time are kept; bodies of answers are not.'],
            ]}
          />
        </Panel>
      </SimpleGrid>
      <Panel title="Each attempt" flush>
        <AttemptTable attempts={data.attempts} />
      </Panel>
    </Stack>
  );
}

function Actions({ delivery: { id, state } }: { readonly delivery: DeliveryDetail }) {
  const { resend, abort } = useDeliveryActions();
  const [isConfirming, setConfirming] = useState(false);
  const isPending = state === 'ready' || state === 'parked';
  return (
    <>
      <Button variant="default" component={Link} to={`/requests/delivery/${id}`} leftSection={<IconRoute size={16} />}>
        Timeline
      </Button>
      <Button variant="default" color="red" leftSection={<IconBan size={16} />} disabled={!isPending} onClick={() => setConfirming(true)}>
        Abort
      </Button>
      <Button leftSection={<IconSend size={16} />} loading={resend.isPending} onClick={() => resend.mutate(id)}>
        Resend now
      </Button>
      <ConfirmAction
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Give this delivery up?"
        action="Abort"
        danger
        reason="required"
        onConfirm={(reason) => abort.mutateAsync({ id, reason })}
      >
        It becomes a dead letter: nothing is attempted any more unless somebody sends it again. What waits behind it in its order follows.
      </ConfirmAction>
    </>
  );
}

function DeliverySummary({ delivery }: { readonly delivery: DeliveryDetail }) {
  const {
    queue,
    client_id: host,
    app_id: app,
    payment_id: payment,
    due_at: due,
    ended_at: ended,
    created_at: created,
    resent_at: resent,
  } = delivery;
  return (
    <DetailList
      items={[
        ['State', stateBadge(delivery)],
        ['Why', delivery.aborted_reason ?? delivery.parked_by],
        ['Goes as', queueWords(queue)],
        ['Integration', host && app && `${host} → ${app}`],
        [
          'Payment',
          payment && (
            <Anchor component={Link} to={`/payments/${payment}`}>
              <ShortId id={payment} what="payment id" copies={false} />
            </Anchor>
          ),
        ],
        ['Attempts', `${String(delivery.attempt_count)} of ${String(Math.max(delivery.attempt_count, delivery.planned_attempts))}`],
        ['Next try', due && <TimeText at={due} as="distance" />],
        ['Owed since', <TimeText key="created" at={created} as="whole" />],
        ['Sent again', resent && <TimeText at={resent} as="whole" />],
        ['Ended', ended && <TimeText at={ended} as="whole" />],
      ]}
    />
  );
}

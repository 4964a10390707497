import { Anchor, Box, Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { pathOf } from '../../api/manage';
import { useRecord } from '../../api/use-record';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { AttemptTable, AttemptTimeline } from '../deliveries/attempts';
import type { DeliveryDetail } from '../deliveries/delivery-wire';

/** How the result reaches the miniapp: each attempt, and the next ones. The delivery has the payment's id. */
export function NoticePanel({ paymentId }: { readonly paymentId: string }) {
  const asked = useRecord<DeliveryDetail>(pathOf('deliveries', paymentId), { live: 'deliveries' });
  const toDelivery = (
    <Anchor component={Link} to={`/deliveries/${paymentId}`} size="sm">
      Open the delivery
    </Anchor>
  );
  return (
    <Panel title="Notice to the miniapp" lead="Attempts, on an axis whose steps grow" deeds={toDelivery} flush>
      {asked.isPending && <Skeleton height={120} m="md" role="status" aria-label="Loading" />}
      {asked.error && <ProblemAlert error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && (
        <>
          <Box px="md" pb="sm">
            <AttemptTimeline delivery={asked.data} />
          </Box>
          <AttemptTable attempts={asked.data.attempts} />
        </>
      )}
    </Panel>
  );
}

import { Anchor, Box, Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { pathOf } from '../../api/manage';
import { useRecord } from '../../api/use-record';
import { Panel } from '../../parts/panel';
import { ProblemAlert } from '../../parts/problem-alert';
import { AttemptTable, AttemptTimeline } from '../deliveries/attempts';
import type { DeliveryDetail } from '../deliveries/delivery-model';

/** The delivery of the result to the miniapp: each attempt, and the next ones. Its id is the payment's. */
export function NoticePanel({ paymentId }: { readonly paymentId: string }) {
  const result = useRecord<DeliveryDetail>(pathOf('deliveries', paymentId), { live: 'deliveries' });
  const toDelivery = (
    <Anchor component={Link} to={`/deliveries/${paymentId}`} size="sm">
      Open the delivery
    </Anchor>
  );
  return (
    <Panel title="Notice to the miniapp" lead="Attempts, on an axis whose steps grow" actions={toDelivery} flush>
      {result.isPending && <Skeleton height={120} m="md" role="status" aria-label="Loading" />}
      {result.error && <ProblemAlert error={result.error} onRetry={() => void result.refetch()} />}
      {result.data && (
        <>
          <Box px="md" pb="sm">
            <AttemptTimeline delivery={result.data} />
          </Box>
          <AttemptTable attempts={result.data.attempts} />
        </>
      )}
    </Panel>
  );
}

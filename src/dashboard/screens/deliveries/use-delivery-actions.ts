import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import { plural } from '../../parts/plural';
import type { Resend } from './delivery-model';

const touches = ['/deliveries', '/endpoint-queues', '/resends', '/payments', '/figures'];

/** The deliveries to resend: since a time, or by their problem. */
export interface ResendRequest {
  readonly failed_since?: string;
  readonly missing_since?: string;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly per_second?: number;
}

/** Actions on a delivery. */
export function useDeliveryActions() {
  const resend = useAction((id: string) => manage('POST', `${pathOf('deliveries', id)}/resend`), {
    touches,
    done: 'It is on its way again',
  });
  const abort = useAction(
    ({ id, reason }: { id: string; reason: string }) => manage('POST', `${pathOf('deliveries', id)}/abort`, { body: { reason } }),
    {
      touches,
      done: 'Given up: a dead letter that can be sent again',
      showsErrors: false,
    },
  );
  return { resend, abort };
}

/** Actions on an endpoint. */
export function useQueueActions() {
  const queue = (name: string, action: string): string => `${pathOf('endpoint-queues', name)}/${action}`;
  const pause = useAction(
    ({ name, reason }: { name: string; reason: string }) => manage('POST', queue(name, 'pause'), { body: { reason } }),
    {
      touches,
      done: 'Paused: its deliveries wait',
      showsErrors: false,
    },
  );
  const resume = useAction((name: string) => manage('POST', queue(name, 'resume')), { touches, done: 'Resumed: what waits is released' });
  const release = useAction((name: string) => manage('POST', queue(name, 'release')), { touches, done: 'What waits is released' });
  return { pause, resume, release };
}

/** Actions on many deliveries. */
export function useResendActions() {
  const start = useAction((request: ResendRequest) => manage<Resend>('POST', '/deliveries/resend', { body: request }), {
    touches,
    done: ({ count }) => `${plural(count, 'delivery is', 'deliveries are')} sent again`,
    showsErrors: false,
  });
  const cancel = useAction((id: string) => manage('POST', `${pathOf('resends', id)}/cancel`), { touches, done: 'Cancelled' });
  return { start, cancel };
}

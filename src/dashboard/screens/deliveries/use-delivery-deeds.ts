import { manage, pathOf } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import { plural } from '../../parts/plural';
import type { Resend } from './delivery-wire';

const touches = ['/deliveries', '/delivery-lanes', '/resends', '/payments', '/figures'];

/** The deliveries to send again: since when, and their trouble. */
export interface ResendAsk {
  readonly failed_since?: string;
  readonly missing_since?: string;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly per_second?: number;
}

/** What can be done about one delivery. */
export function useDeliveryDeeds() {
  const resend = useDeed((id: string) => manage('POST', `${pathOf('deliveries', id)}/resend`), { touches, done: 'It is on its way again' });
  const abort = useDeed(
    ({ id, reason }: { id: string; reason: string }) => manage('POST', `${pathOf('deliveries', id)}/abort`, { body: { reason } }),
    {
      touches,
      done: 'Given up: a dead letter that can be sent again',
      tells: false,
    },
  );
  return { resend, abort };
}

/** What can be done about an endpoint. */
export function useLaneDeeds() {
  const lane = (name: string, deed: string): string => `${pathOf('delivery-lanes', name)}/${deed}`;
  const pause = useDeed(({ name, reason }: { name: string; reason: string }) => manage('POST', lane(name, 'pause'), { body: { reason } }), {
    touches,
    done: 'Paused: what is owed waits',
    tells: false,
  });
  const resume = useDeed((name: string) => manage('POST', lane(name, 'resume')), { touches, done: 'Resumed: what waits is released' });
  const release = useDeed((name: string) => manage('POST', lane(name, 'release')), { touches, done: 'What waits is released' });
  return { pause, resume, release };
}

/** What can be done about many deliveries at once. */
export function useResendDeeds() {
  const start = useDeed((ask: ResendAsk) => manage<Resend>('POST', '/deliveries/resend', { body: ask }), {
    touches,
    done: ({ count }) => `${plural(count, 'delivery is', 'deliveries are')} sent again`,
    tells: false,
  });
  const cancel = useDeed((id: string) => manage('POST', `${pathOf('resends', id)}/cancel`), { touches, done: 'Cancelled' });
  return { start, cancel };
}

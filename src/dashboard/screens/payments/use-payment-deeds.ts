import { manage, pathOf } from '../../api/manage';
import { useDeed } from '../../api/use-deed';
import type { PaymentDetail } from './payment-wire';

/** What can be done about payments, each told when it is done. */
export function usePaymentDeeds() {
  const touches = ['/payments', '/deliveries', '/figures'];
  const ask = useDeed((id: string) => manage<PaymentDetail>('POST', `${pathOf('payments', id)}/ask`), {
    touches,
    done: ({ last_outcome: said = 'nothing' }) => `The host app says: ${said.replaceAll('_', ' ')}`,
  });
  const resend = useDeed((id: string) => manage('POST', `${pathOf('deliveries', id)}/resend`), {
    touches,
    done: 'The completion is on its way again',
  });
  const resolve = useDeed(
    ({ id, conflict, reason }: { id: string; conflict: string; reason: string }) =>
      manage('POST', `${pathOf('payments', id, 'conflicts', conflict)}/resolve`, { body: { reason } }),
    { touches, done: 'Marked as resolved', tells: false },
  );
  return { ask, resend, resolve };
}

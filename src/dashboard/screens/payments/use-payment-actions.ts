import { manage, pathOf } from '../../api/manage';
import { useAction } from '../../api/use-action';
import type { PaymentDetail } from './payment-model';

/** Actions on payments, each with a notice of its result. */
export function usePaymentActions() {
  const touches = ['/payments', '/deliveries', '/figures'];
  const poll = useAction((id: string) => manage<PaymentDetail>('POST', `${pathOf('payments', id)}/poll`), {
    touches,
    done: ({ last_outcome: outcome = 'nothing' }) => `The host app answers: ${outcome.replaceAll('_', ' ')}`,
  });
  const resend = useAction((id: string) => manage('POST', `${pathOf('deliveries', id)}/resend`), {
    touches,
    done: 'The completion is on its way again',
  });
  const resolve = useAction(
    ({ id, conflict, reason }: { id: string; conflict: string; reason: string }) =>
      manage('POST', `${pathOf('payments', id, 'conflicts', conflict)}/resolve`, { body: { reason } }),
    { touches, done: 'Marked as resolved', showsErrors: false },
  );
  return { poll, resend, resolve };
}

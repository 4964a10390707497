import type { Request } from 'express';
import type { PollPaymentNow } from '../../../../../domain/payments/poll-payment-now';
import { UnknownPayment, type PaymentRecordRepository } from '../../../../../domain/payments/payment-record-repository';
import type { ResolveConflict } from '../../../../../domain/payments/resolve-conflict';
import { requireSeen } from '../http/access';
import { paymentHistoryView } from './payments-routes';
import { asStandingProblem } from '../http/problem';
import { reasonIn } from '../http/reason.dto';
import { type Mount, originOf, pathId, serve } from '../http/serve';
import { paymentActionCalls } from './payment-calls';

export interface PaymentActionDeps {
  readonly payments: PaymentRecordRepository;
  readonly pollPaymentNow: Pick<PollPaymentNow, 'execute'>;
  readonly resolveConflict: ResolveConflict;
}

/** Serves actions on a payment: poll its host app at once, or mark a conflict as resolved. */
export function paymentActionRoutes(mount: Mount, deps: PaymentActionDeps): void {
  const seen = async (req: Request): Promise<string> => {
    const id = pathId(req, 'id');
    const payment = await deps.payments.find(id);
    if (!payment) throw new UnknownPayment();
    requireSeen(req, payment.pair);
    return id;
  };
  serve(mount, paymentActionCalls, {
    poll: async (req, res) => {
      const id = await seen(req);
      try {
        res.json(paymentHistoryView(await deps.pollPaymentNow.execute({ id, ...originOf(req) })));
      } catch (error) {
        throw asStandingProblem(error);
      }
    },
    resolve: async (req, res) => {
      const [paymentId, conflictId, reason] = [await seen(req), pathId(req, 'conflict'), await reasonIn(req)];
      res.json(paymentHistoryView(await deps.resolveConflict.execute({ paymentId, conflictId, reason, ...originOf(req) })));
    },
  });
}

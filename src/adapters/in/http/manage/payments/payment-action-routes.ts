import type { Request, RequestHandler, Router } from 'express';
import type { PollPaymentNow } from '../../../../../domain/payments/poll-payment-now';
import { UnknownPayment, type PaymentRecordRepository } from '../../../../../domain/payments/payment-record-repository';
import type { ResolveConflict } from '../../../../../domain/payments/resolve-conflict';
import { operatorOnly, partnersToo, requireSeen } from '../http/access';
import { paymentHistoryView } from './payments-routes';
import { asStandingProblem } from '../http/problem';
import { reasonIn } from '../http/reason.dto';
import { servePath } from '../http/old-serve';
import { originOf, pathId } from '../http/serve';

export interface PaymentActionDeps {
  readonly payments: PaymentRecordRepository;
  readonly pollPaymentNow: Pick<PollPaymentNow, 'execute'>;
  readonly resolveConflict: ResolveConflict;
}

/** Actions on a payment: poll its host app at once, or mark a conflict as resolved. */
export function paymentActionRoutes(router: Router, readBody: RequestHandler, deps: PaymentActionDeps): void {
  const seen = async (req: Request): Promise<string> => {
    const id = pathId(req, 'id');
    const payment = await deps.payments.find(id);
    if (!payment) throw new UnknownPayment();
    requireSeen(req, payment.pair);
    return id;
  };
  servePath(router, '/payments/:id/poll', {
    post: partnersToo(async (req, res) => {
      const id = await seen(req);
      try {
        res.json(paymentHistoryView(await deps.pollPaymentNow.execute({ id, ...originOf(req) })));
      } catch (error) {
        throw asStandingProblem(error);
      }
    }),
  });
  servePath(router, '/payments/:id/conflicts/:conflict/resolve', {
    post: operatorOnly(readBody, async (req, res) => {
      const [paymentId, conflictId, reason] = [await seen(req), pathId(req, 'conflict'), await reasonIn(req)];
      res.json(paymentHistoryView(await deps.resolveConflict.execute({ paymentId, conflictId, reason, ...originOf(req) })));
    }),
  });
}

import type { Request, RequestHandler, Router } from 'express';
import type { AskPaymentNow } from '../../../../domain/payments/ask-payment-now';
import { UnknownPayment, type PaymentBook } from '../../../../domain/payments/payment-book';
import { ResolveConflict } from '../../../../domain/payments/resolve-conflict';
import type { Clock } from '../../../../domain/shared/ports';
import { operatorOnly, partnersToo, requireSeen } from './access';
import { paymentHistoryView } from './payments-routes';
import { asStandingProblem } from './problem';
import { reasonIn } from './reason.dto';
import { originOf, pathId, serve } from './serve';

export interface PaymentDeedDeps {
  readonly payments: PaymentBook;
  readonly askPaymentNow: Pick<AskPaymentNow, 'execute'>;
  readonly clock: Clock;
}

/** What people do about a payment: its host app is asked at once, and a conflict is marked as looked into. */
export function paymentDeedRoutes(router: Router, readBody: RequestHandler, deps: PaymentDeedDeps): void {
  const resolve = new ResolveConflict({ ...deps, book: deps.payments });
  const seen = async (req: Request): Promise<string> => {
    const id = pathId(req, 'id');
    const payment = await deps.payments.find(id);
    if (!payment) throw new UnknownPayment();
    requireSeen(req, payment.pair);
    return id;
  };
  serve(router, '/payments/:id/ask', {
    post: partnersToo(async (req, res) => {
      const id = await seen(req);
      try {
        res.json(paymentHistoryView(await deps.askPaymentNow.execute({ id, ...originOf(req) })));
      } catch (error) {
        throw asStandingProblem(error);
      }
    }),
  });
  serve(router, '/payments/:id/conflicts/:conflict/resolve', {
    post: operatorOnly(readBody, async (req, res) => {
      const [paymentId, conflictId, reason] = [await seen(req), pathId(req, 'conflict'), reasonIn(req)];
      res.json(paymentHistoryView(await resolve.execute({ paymentId, conflictId, reason, ...originOf(req) })));
    }),
  });
}

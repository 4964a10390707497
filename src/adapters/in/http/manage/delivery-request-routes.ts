import type { Router } from 'express';
import type { DraftDelivery, DraftedDelivery } from '../../../../domain/deliveries/draft-delivery';
import { UnknownDelivery } from '../../../../domain/deliveries/resend-delivery';
import { DomainError } from '../../../../domain/shared/errors';
import { ManageProblem } from './problem';
import { originOf, pathId, serve } from './serve';

/** `/deliveries/{id}/request`: the request that would deliver it now, for `pierhead listen`. Nothing is sent. */
export function deliveryRequestRoutes(router: Router, draftDelivery: DraftDelivery): void {
  serve(router, '/deliveries/:id/request', {
    post: [
      async (req, res) => {
        try {
          res.json(requestView(await draftDelivery.execute({ ...originOf(req), id: pathId(req, 'id') })));
        } catch (error) {
          throw asProblem(error);
        }
      },
    ],
  });
}

/** Why it would not be sent now: something is switched off, or the settings are not complete. */
function asProblem(error: unknown): unknown {
  if (!(error instanceof DomainError) || error instanceof UnknownDelivery || error.kind === 'unavailable') return error;
  const { kind, code, message } = error;
  return kind === 'forbidden'
    ? new ManageProblem('forbidden', { detail: message })
    : new ManageProblem('conflict', { detail: `${code}: ${message}` });
}

const requestView = ({ id, receiver, method, url, headers, body }: DraftedDelivery): object => ({
  ...{ id, receiver, method, url },
  headers: Object.entries(headers),
  body_base64: Buffer.from(body).toString('base64'),
});

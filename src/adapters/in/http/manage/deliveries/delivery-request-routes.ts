import type { Router } from 'express';
import type { DraftDelivery, DraftedDelivery } from '../../../../../domain/deliveries/draft-delivery';
import { operatorOnly } from '../http/access';
import { asStandingProblem } from '../http/problem';
import { servePath } from '../http/old-serve';
import { originOf, pathId } from '../http/serve';

/** `/deliveries/{id}/request`: the request that would deliver it now, for `pierhead listen`. Nothing is sent. */
export function deliveryRequestRoutes(router: Router, draftDelivery: DraftDelivery): void {
  servePath(router, '/deliveries/:id/request', {
    post: operatorOnly(async (req, res) => {
      try {
        res.json(requestView(await draftDelivery.execute({ ...originOf(req), id: pathId(req, 'id') })));
      } catch (error) {
        throw asStandingProblem(error);
      }
    }),
  });
}

const requestView = ({ id, receiver, method, url, headers, body }: DraftedDelivery): object => ({
  ...{ id, receiver, method, url },
  headers: Object.entries(headers),
  body_base64: Buffer.from(body).toString('base64'),
});

import { Router } from 'express';
import { JsonObject } from '../../domain/shared/json';
import type { Received } from '../partners/inbox';
import type { PageCalls } from './page-calls';
import { pageFiles } from '../../web/page-files';
import { bodyOf, memberOf, readBody, textOf } from '../read-body';
import { callService, type CallsService } from '../service-calls';

/** Dependencies of the miniapp's page and of its back end. */
export interface MiniappPage {
  /** Folder of the built pages. */
  readonly folder: string;
  /** The service's address, and the signature of the shop's calls to it. */
  readonly service: Required<Pick<CallsService, 'serviceUrl' | 'signature'>>;
  /** Origins of the pages that may frame it. */
  readonly openedBy: readonly string[];
  readonly ids: { readonly client_id: string; readonly app_id: string };
  /** Completions that the miniapp's webhook has received. */
  readonly completions: () => readonly Received[];
  /** Events that the miniapp has received. */
  readonly events: () => readonly Received[];
  readonly calls: Pick<PageCalls, 'record'>;
}

/** The page of the simulated miniapp, a ferry ticket shop, and the part of its back end that only this page calls. */
export function miniappPage({ folder, service, openedBy, ids, completions, events, calls }: MiniappPage): Router {
  const call = (path: string, body: Parameters<typeof JsonObject.of>[0]) => callService(service, path, JsonObject.of({ ...ids, ...body }));
  const router = Router();
  router.use(pageFiles(folder, { page: 'miniapp.html', calls: [], frames: [], framedBy: openedBy }));
  router.use(calls.record);
  router.post('/shop/orders', ...readBody, async (request, response) => {
    response.json(await call('/api/v1/orders/create-order-payment/', { order: bodyOf(request).get('order') }));
  });
  // Only the webhook proves a payment; the page's result does not.
  router.get('/shop/orders/:id', (request, response) => {
    const completion = completions().find(({ body }) => body.get('order_payment_id') === request.params.id)?.body;
    response.json({ payment_status: completion?.get('payment_status') ?? null });
  });
  router.post('/shop/orders/:id/poll', async (request, response) => {
    const answer = await call('/api/v1/orders/get-payment-status/', { order_payment_id: request.params.id });
    response.json({ payment_status: memberOf(answer, 'payment_status') });
  });
  router.post('/shop/events', ...readBody, async (request, response) => {
    const event = { event_type: textOf(request, 'event_type'), payload: bodyOf(request).get('payload') };
    response.json(await call('/api/v1/events/miniapp/', event));
  });
  router.get('/shop/news', (_request, response) => {
    const news = events().at(-1);
    response.json(news ? { at: news.at, event_type: news.body.get('event_type'), text: textIn(news.body.get('payload')) } : { at: 0 });
  });
  return router;
}

/** The `text` of an event's payload, or an empty text. */
function textIn(payload: unknown): string {
  const text = payload instanceof JsonObject ? payload.get('text') : undefined;
  return typeof text === 'string' ? text : '';
}

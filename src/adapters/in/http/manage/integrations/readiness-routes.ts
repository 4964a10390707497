import type { Request, RequestHandler, Router } from 'express';
import type { AssessReadiness, Readiness } from '../../../../../domain/readiness/assess-readiness';
import { missingFrom, type ChecklistItem } from '../../../../../domain/readiness/checklist';
import type { GoLive } from '../../../../../domain/readiness/go-live';
import type { Live } from '../../../../../domain/readiness/ports';
import type { IntegrationKey } from '../../../../../domain/partners/ports';
import { narrowed, operatorOnly, partnersToo, requireSeen, readsQuery } from '../http/access';
import { readInput } from '../http/json-body';
import { BackToTestDto, GoLiveDto } from './go-live.dto';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { listQuery, pageOf, word } from '../http/old-query';
import { servePath } from '../http/old-serve';
import { originOf, pathId } from '../http/serve';

export interface ReadinessRoutesDeps {
  readonly assessReadiness: AssessReadiness;
  readonly goLive: GoLive;
}

/** `/integrations/{client_id}/{app_id}/readiness` and going live: proven and missing items, and whether the integration is live. */
export function readinessRoutes(router: Router, readBody: RequestHandler, deps: ReadinessRoutesDeps): void {
  const { assessReadiness: assess, goLive: gate } = deps;
  const path = '/integrations/:clientId/:appId';
  const answer = async (req: Request): Promise<object> => readinessView(await assess.execute(keyOf(req)));
  servePath(router, '/integrations/readiness', {
    get: partnersToo(readsQuery, async (req, res) => {
      const { filter, page } = listQuery(req, { client_id: word, app_id: word });
      const { client_id: clientId, app_id: appId } = filter;
      const wanted = narrowed(req, present({ clientId, appId }));
      const cursorOf = ({ integrationRecord: { clientId: host, appId: mini } }: Readiness): string => `${host}/${mini}`;
      res.json(await pageOf(page, (rows) => assess.list(rows, wanted), { show: summaryView, cursorOf }));
    }),
  });
  servePath(router, `${path}/readiness`, {
    get: partnersToo(async (req, res) => {
      res.json(await answer(req));
    }),
  });
  servePath(router, `${path}/readiness/check`, {
    post: partnersToo(async (req, res) => {
      await assess.probeUrls(keyOf(req));
      res.json(await answer(req));
    }),
  });
  servePath(router, `${path}/go-live`, {
    post: operatorOnly(readBody, async (req, res) => {
      await gate.execute({ ...originOf(req), key: keyOf(req), reason: (await readInput(req, GoLiveDto)).reason });
      res.json(await answer(req));
    }),
  });
  servePath(router, `${path}/back-to-test`, {
    post: operatorOnly(readBody, async (req, res) => {
      await gate.back({ ...originOf(req), key: keyOf(req), reason: (await readInput(req, BackToTestDto)).reason });
      res.json(await answer(req));
    }),
  });
}

/** Reads the integration from the path. Throws ManageProblem (404) where the viewer may not see it. */
function keyOf(req: Request): IntegrationKey {
  const key = { clientId: pathId(req, 'clientId'), appId: pathId(req, 'appId') };
  requireSeen(req, key);
  return key;
}

const summaryView = ({ integrationRecord, percent, live, items }: Readiness): object => {
  const missing = missingFrom(items);
  return present({
    client_id: integrationRecord.clientId,
    app_id: integrationRecord.appId,
    status: integrationRecord.settings.status,
    mode: live ? 'live' : 'test',
    percent,
    to_do: missing.length,
    next: missing[0] && nextView(missing[0]),
  });
};

const nextView = ({ id, title, state, detail }: ChecklistItem): object => ({ id, title, state, detail });

const readinessView = (readiness: Readiness): object => {
  const { items, live } = readiness;
  return present({ ...summaryView(readiness), live: live && liveView(live), items: items.map(itemView) });
};

const liveView = ({ at, actor, reason, missing }: Live): object => present({ at: timeText(at), by: actor, reason, missing });

const itemView = ({ id, title, state, detail, at, exchangeId, paymentId, deliveryId }: ChecklistItem): object =>
  present({
    id,
    title,
    state,
    detail,
    at: timeText(at),
    exchange_id: exchangeId,
    payment_id: paymentId,
    delivery_id: deliveryId,
  });

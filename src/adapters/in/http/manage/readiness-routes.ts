import type { Request, RequestHandler, Router } from 'express';
import { AssessReadiness, type Readiness, type ReadinessDeps } from '../../../../domain/readiness/assess-readiness';
import { missingFrom, type ChecklistItem } from '../../../../domain/readiness/checklist';
import { GoLive } from '../../../../domain/readiness/go-live';
import type { Live } from '../../../../domain/readiness/ports';
import type { AgreementKey } from '../../../../domain/partners/ports';
import { narrowed, operatorOnly, partnersToo, requireSeen } from './access';
import { factsIn } from './json-body';
import { BackToTestDto, GoLiveDto } from './go-live.dto';
import { timeText } from './partner-wire';
import { present } from './present';
import { listQuery, pageOf, word } from './query';
import { originOf, pathId, serve } from './serve';

/** `/integrations/{client_id}/{app_id}/readiness` and the gate behind it: proven and missing items, and whether it is live. */
export function readinessRoutes(router: Router, readBody: RequestHandler, deps: ReadinessDeps): void {
  const assess = new AssessReadiness(deps);
  const gate = new GoLive({ ...deps, assess });
  const path = '/integrations/:clientId/:appId';
  const answer = async (req: Request): Promise<object> => readinessView(await assess.execute(keyOf(req)));
  serve(router, '/integrations/readiness', {
    get: partnersToo(async (req, res) => {
      const { filter, page } = listQuery(req, { client_id: word, app_id: word });
      const { client_id: clientId, app_id: appId } = filter;
      const wanted = narrowed(req, present({ clientId, appId }));
      const cursorOf = ({ agreement: { clientId: host, appId: mini } }: Readiness): string => `${host}/${mini}`;
      res.json(await pageOf(page, (rows) => assess.list(rows, wanted), { show: summaryView, cursorOf }));
    }),
  });
  serve(router, `${path}/readiness`, {
    get: partnersToo(async (req, res) => {
      res.json(await answer(req));
    }),
  });
  serve(router, `${path}/readiness/check`, {
    post: partnersToo(async (req, res) => {
      await assess.look(keyOf(req));
      res.json(await answer(req));
    }),
  });
  serve(router, `${path}/go-live`, {
    post: operatorOnly(readBody, async (req, res) => {
      await gate.execute({ ...originOf(req), key: keyOf(req), reason: factsIn(req, GoLiveDto).reason });
      res.json(await answer(req));
    }),
  });
  serve(router, `${path}/back-to-test`, {
    post: operatorOnly(readBody, async (req, res) => {
      await gate.back({ ...originOf(req), key: keyOf(req), reason: factsIn(req, BackToTestDto).reason });
      res.json(await answer(req));
    }),
  });
}

/** Throws ManageProblem (404) where the integration is not the viewer's to see. */
function keyOf(req: Request): AgreementKey {
  const key = { clientId: pathId(req, 'clientId'), appId: pathId(req, 'appId') };
  requireSeen(req, key);
  return key;
}

const summaryView = ({ agreement, percent, live, items }: Readiness): object => {
  const missing = missingFrom(items);
  return present({
    ...{ client_id: agreement.clientId, app_id: agreement.appId, status: agreement.settings.status },
    ...{ mode: live ? 'live' : 'test', percent, to_do: missing.length, next: missing[0] && nextView(missing[0]) },
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
    ...{ id, title, state, detail, at: timeText(at) },
    ...{ exchange_id: exchangeId, payment_id: paymentId, delivery_id: deliveryId },
  });

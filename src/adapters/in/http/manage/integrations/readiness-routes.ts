import type { Request } from 'express';
import type { AssessReadiness, Readiness } from '../../../../../domain/readiness/assess-readiness';
import { missingFrom, type ChecklistItem } from '../../../../../domain/readiness/checklist';
import type { GoLive } from '../../../../../domain/readiness/go-live';
import type { Live } from '../../../../../domain/readiness/ports';
import { narrowed } from '../http/access';
import { readInput } from '../http/json-body';
import { BackToTestDto, GoLiveDto } from './go-live.dto';
import { timeText } from '../partners/partner-mapper';
import { present } from '../http/present';
import { pageOf } from '../http/query';
import { type Mount, originOf, serve } from '../http/serve';
import { readinessCalls } from './integration-calls';
import { integrationKey } from './integration-reader';

export interface ReadinessRoutesDeps {
  readonly assessReadiness: AssessReadiness;
  readonly goLive: GoLive;
}

/** Serves the calls about readiness and going live. */
export function readinessRoutes(mount: Mount, deps: ReadinessRoutesDeps): void {
  const { assessReadiness: assess, goLive: gate } = deps;
  const answer = async (req: Request): Promise<object> => readinessView(await assess.execute(integrationKey(req)));
  serve(mount, readinessCalls, {
    list: async (req, res, { filter, page }) => {
      const { client_id: clientId, app_id: appId } = filter;
      const wanted = narrowed(req, present({ clientId, appId }));
      const cursorOf = ({ integrationRecord: { clientId: host, appId: mini } }: Readiness): string => `${host}/${mini}`;
      res.json(await pageOf(page, (rows) => assess.list(rows, wanted), { show: summaryView, cursorOf }));
    },
    get: async (req, res) => {
      res.json(await answer(req));
    },
    check: async (req, res) => {
      await assess.probeUrls(integrationKey(req));
      res.json(await answer(req));
    },
    goLive: async (req, res) => {
      await gate.execute({ ...originOf(req), key: integrationKey(req), reason: (await readInput(req, GoLiveDto)).reason });
      res.json(await answer(req));
    },
    backToTest: async (req, res) => {
      await gate.back({ ...originOf(req), key: integrationKey(req), reason: (await readInput(req, BackToTestDto)).reason });
      res.json(await answer(req));
    },
  });
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

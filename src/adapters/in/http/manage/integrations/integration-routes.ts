import type { Request, RequestHandler, Response, Router } from 'express';
import type { ChangeIntegration, EndIntegration, IntegratePartners } from '../../../../../domain/partners/integrations/integrate-partners';
import type { IntegrationSettings } from '../../../../../domain/partners/integrations/integration';
import type { HostAppRepository, IntegrationKey, IntegrationRepository, MiniappRepository } from '../../../../../domain/partners/ports';
import { UnknownIntegration } from '../../../../../domain/partners/registry-errors';
import { pairName } from '../../../../../domain/partners/integrations/pair-name';
import { narrowed, operatorOnly, partnersToo, requireSeen, viewerOf, readsQuery } from '../http/access';
import { integrationBody, type IntegrationReading, patchOf, requireOwnSettings, wholeOf } from './integration-reader';
import { viewWithWarnings } from './integration-warnings';
import { integrationView } from './integration.dto';
import { bodyOf } from '../http/json-body';
import { entityTag, precondition } from '../http/precondition';
import { present } from '../http/present';
import { listQuery, pageOf, word } from '../http/old-query';
import { servePath } from '../http/old-serve';
import { originOf, pathId } from '../http/serve';

export interface IntegrationRoutesDeps {
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly integrations: IntegrationRepository;
  readonly integratePartners: IntegratePartners;
  readonly changeIntegration: ChangeIntegration;
  readonly endIntegration: EndIntegration;
}

/** `/integrations` and the paths below it. */
export function integrationRoutes(router: Router, readBody: RequestHandler, deps: IntegrationRoutesDeps): void {
  const controller = new IntegrationsController(deps);
  servePath(router, '/integrations', { get: partnersToo(readsQuery, controller.list) });
  servePath(router, '/integrations/:clientId/:appId', {
    get: partnersToo(controller.get),
    put: operatorOnly(readBody, controller.put),
    patch: partnersToo(readBody, controller.patch),
    delete: operatorOnly(controller.remove),
  });
}

class IntegrationsController {
  constructor(private readonly deps: IntegrationRoutesDeps) {}

  readonly list = async (req: Request, res: Response): Promise<void> => {
    const { filter, page } = listQuery(req, { client_id: word, app_id: word });
    const { client_id: clientId, app_id: appId } = filter;
    const wanted = narrowed(req, present({ clientId, appId }));
    const show = { show: integrationView, cursorOf: pairName };
    res.json(await pageOf(page, (rows) => this.deps.integrations.list(rows, wanted), show));
  };

  readonly get = async (req: Request, res: Response): Promise<void> => {
    requireSeen(req, keyOf(req));
    const integrationRecord = await this.deps.integrations.find(keyOf(req));
    if (!integrationRecord) throw new UnknownIntegration();
    res.set('ETag', entityTag(integrationRecord.version)).json(await viewWithWarnings(integrationRecord, this.deps));
  };

  readonly put = async (req: Request, res: Response): Promise<void> => {
    const key = keyOf(req);
    const body = integrationBody(await bodyOf(req), key);
    const command = { key, ...wholeOf(body), precondition: precondition(req), ...originOf(req) };
    const { integrationRecord, created } = await this.deps.integratePartners.execute(command);
    res.status(created ? 201 : 200).set('ETag', entityTag(integrationRecord.version));
    res.json(await viewWithWarnings(integrationRecord, this.deps, body.warnings));
  };

  readonly patch = async (req: Request, res: Response): Promise<void> => {
    const key = keyOf(req);
    requireSeen(req, key);
    const body = integrationBody(await bodyOf(req), key);
    const edit = (present: IntegrationSettings): IntegrationReading => {
      requireOwnSettings(viewerOf(req).role, present, body);
      return patchOf(present, body);
    };
    const integrationRecord = await this.deps.changeIntegration.execute({ key, edit, precondition: precondition(req), ...originOf(req) });
    res.set('ETag', entityTag(integrationRecord.version)).json(await viewWithWarnings(integrationRecord, this.deps, body.warnings));
  };

  readonly remove = async (req: Request, res: Response): Promise<void> => {
    await this.deps.endIntegration.execute({ key: keyOf(req), ...originOf(req) });
    res.status(204).end();
  };
}

const keyOf = (req: Request): IntegrationKey => ({ clientId: pathId(req, 'clientId'), appId: pathId(req, 'appId') });

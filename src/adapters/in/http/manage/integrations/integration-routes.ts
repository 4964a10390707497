import type { Request, Response } from 'express';
import type { ChangeIntegration, EndIntegration, IntegratePartners } from '../../../../../domain/partners/integrations/integrate-partners';
import type { IntegrationSettings } from '../../../../../domain/partners/integrations/integration';
import type { HostAppRepository, IntegrationRepository, MiniappRepository } from '../../../../../domain/partners/ports';
import { UnknownIntegration } from '../../../../../domain/partners/registry-errors';
import { pairName } from '../../../../../domain/partners/integrations/pair-name';
import { narrowed, viewerOf } from '../http/access';
import { integrationCalls } from './integration-calls';
import { integrationBody, integrationKey, type IntegrationReading, patchOf, requireOwnSettings, wholeOf } from './integration-reader';
import { viewWithWarnings } from './integration-warnings';
import { integrationView } from './integration.dto';
import { bodyOf } from '../http/json-body';
import { entityTag, precondition } from '../http/precondition';
import { present } from '../http/present';
import { pageOf } from '../http/query';
import { type Handler, type Mount, originOf, serve } from '../http/serve';

export interface IntegrationRoutesDeps {
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly integrations: IntegrationRepository;
  readonly integratePartners: IntegratePartners;
  readonly changeIntegration: ChangeIntegration;
  readonly endIntegration: EndIntegration;
}

/** Serves the calls about integrations. */
export const integrationRoutes = (mount: Mount, deps: IntegrationRoutesDeps): void => {
  serve(mount, integrationCalls, new IntegrationsController(deps));
};

class IntegrationsController {
  constructor(private readonly deps: IntegrationRoutesDeps) {}

  readonly list: Handler<(typeof integrationCalls)['list']> = async (req, res, { filter, page }) => {
    const { client_id: clientId, app_id: appId } = filter;
    const wanted = narrowed(req, present({ clientId, appId }));
    const show = { show: integrationView, cursorOf: pairName };
    res.json(await pageOf(page, (rows) => this.deps.integrations.list(rows, wanted), show));
  };

  readonly get = async (req: Request, res: Response): Promise<void> => {
    const integrationRecord = await this.deps.integrations.find(integrationKey(req));
    if (!integrationRecord) throw new UnknownIntegration();
    res.set('ETag', entityTag(integrationRecord.version)).json(await viewWithWarnings(integrationRecord, this.deps));
  };

  readonly put = async (req: Request, res: Response): Promise<void> => {
    const key = integrationKey(req);
    const body = integrationBody(await bodyOf(req), key);
    const command = { key, ...wholeOf(body), precondition: precondition(req), ...originOf(req) };
    const { integrationRecord, created } = await this.deps.integratePartners.execute(command);
    res.status(created ? 201 : 200).set('ETag', entityTag(integrationRecord.version));
    res.json(await viewWithWarnings(integrationRecord, this.deps, body.warnings));
  };

  readonly patch = async (req: Request, res: Response): Promise<void> => {
    const key = integrationKey(req);
    const body = integrationBody(await bodyOf(req), key);
    const edit = (present: IntegrationSettings): IntegrationReading => {
      requireOwnSettings(viewerOf(req).role, present, body);
      return patchOf(present, body);
    };
    const integrationRecord = await this.deps.changeIntegration.execute({ key, edit, precondition: precondition(req), ...originOf(req) });
    res.set('ETag', entityTag(integrationRecord.version)).json(await viewWithWarnings(integrationRecord, this.deps, body.warnings));
  };

  readonly remove = async (req: Request, res: Response): Promise<void> => {
    await this.deps.endIntegration.execute({ key: integrationKey(req), ...originOf(req) });
    res.status(204).end();
  };
}

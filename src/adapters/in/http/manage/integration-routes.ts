import type { Request, RequestHandler, Response, Router } from 'express';
import {
  ChangeIntegration,
  EndIntegration,
  IntegratePartners,
  type IntegratePartnersDeps,
} from '../../../../domain/partners/integrate-partners';
import type { IntegrationSettings } from '../../../../domain/partners/integration';
import type { AgreementKey } from '../../../../domain/partners/ports';
import { UnknownAgreement } from '../../../../domain/partners/registry-errors';
import { pairName } from '../../../../domain/partners/pair-name';
import { narrowed, operatorOnly, partnersToo, requireSeen, viewerOf } from './access';
import { integrationBody, type IntegrationReading, patchOf, requireOwnSettings, wholeOf } from './integration-reader';
import { viewWithWarnings } from './integration-warnings';
import { integrationView } from './integration.dto';
import { bodyOf } from './json-body';
import { entityTag, precondition } from './precondition';
import { present } from './present';
import { listQuery, pageOf, word } from './query';
import { originOf, pathId, serve } from './serve';

/** `/integrations` and what lies below. */
export function integrationRoutes(router: Router, readBody: RequestHandler, deps: IntegratePartnersDeps): void {
  const controller = new IntegrationsController(deps);
  serve(router, '/integrations', { get: partnersToo(controller.list) });
  serve(router, '/integrations/:clientId/:appId', {
    get: partnersToo(controller.get),
    put: operatorOnly(readBody, controller.put),
    patch: partnersToo(readBody, controller.patch),
    delete: operatorOnly(controller.remove),
  });
}

class IntegrationsController {
  private readonly integrate: IntegratePartners;
  private readonly change: ChangeIntegration;
  private readonly end: EndIntegration;

  constructor(private readonly deps: IntegratePartnersDeps) {
    [this.integrate, this.change, this.end] = [new IntegratePartners(deps), new ChangeIntegration(deps), new EndIntegration(deps)];
  }

  readonly list = async (req: Request, res: Response): Promise<void> => {
    const { filter, page } = listQuery(req, { client_id: word, app_id: word });
    const { client_id: clientId, app_id: appId } = filter;
    const wanted = narrowed(req, present({ clientId, appId }));
    const show = { show: integrationView, cursorOf: pairName };
    res.json(await pageOf(page, (rows) => this.deps.agreements.list(rows, wanted), show));
  };

  readonly get = async (req: Request, res: Response): Promise<void> => {
    requireSeen(req, keyOf(req));
    const agreement = await this.deps.agreements.find(keyOf(req));
    if (!agreement) throw new UnknownAgreement();
    res.set('ETag', entityTag(agreement.version)).json(await viewWithWarnings(agreement, this.deps));
  };

  readonly put = async (req: Request, res: Response): Promise<void> => {
    const key = keyOf(req);
    const body = integrationBody(bodyOf(req), key);
    const command = { key, ...wholeOf(body), precondition: precondition(req), ...originOf(req) };
    const { agreement, created } = await this.integrate.execute(command);
    res.status(created ? 201 : 200).set('ETag', entityTag(agreement.version));
    res.json(await viewWithWarnings(agreement, this.deps, body.warnings));
  };

  readonly patch = async (req: Request, res: Response): Promise<void> => {
    const key = keyOf(req);
    requireSeen(req, key);
    const body = integrationBody(bodyOf(req), key);
    const edit = (present: IntegrationSettings): IntegrationReading => {
      requireOwnSettings(viewerOf(req).role, present, body);
      return patchOf(present, body);
    };
    const agreement = await this.change.execute({ key, edit, precondition: precondition(req), ...originOf(req) });
    res.set('ETag', entityTag(agreement.version)).json(await viewWithWarnings(agreement, this.deps, body.warnings));
  };

  readonly remove = async (req: Request, res: Response): Promise<void> => {
    await this.end.execute({ key: keyOf(req), ...originOf(req) });
    res.status(204).end();
  };
}

const keyOf = (req: Request): AgreementKey => ({ clientId: pathId(req, 'clientId'), appId: pathId(req, 'appId') });

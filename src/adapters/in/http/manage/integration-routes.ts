import type { Request, RequestHandler, Response, Router } from 'express';
import { EndIntegration, IntegratePartners, type IntegratePartnersDeps } from '../../../../domain/partners/integrate-partners';
import type { AgreementKey } from '../../../../domain/partners/ports';
import { UnknownAgreement } from '../../../../domain/partners/registry-errors';
import type { FieldProblem } from '../../../../domain/shared/errors';
import type { JsonObject } from '../../../../domain/shared/json';
import { narrowed, operatorOnly, partnersToo, requireSeen } from './access';
import { IntegrationDto, integrationSettings, integrationView } from './integration.dto';
import { bodyOf } from './json-body';
import { mergePatch, type PlainObject, plainOf } from './merge-patch';
import { entityTag, precondition } from './precondition';
import { present } from './present';
import { listQuery, pageOf, word } from './query';
import { type Reading, readDto, unknownMembers } from './read-dto';
import { originOf, pathId, serve } from './serve';
import { pairName } from '../../../../domain/partners/pair-name';

/** `/integrations` and what lies below (contract, manage.md). */
export function integrationRoutes(router: Router, readBody: RequestHandler, deps: IntegratePartnersDeps): void {
  const controller = new IntegrationsController(deps);
  serve(router, '/integrations', { get: partnersToo(controller.list) });
  serve(router, '/integrations/:clientId/:appId', {
    get: partnersToo(controller.get),
    put: operatorOnly(readBody, controller.put),
    delete: operatorOnly(controller.remove),
  });
}

class IntegrationsController {
  private readonly integrate: IntegratePartners;
  private readonly end: EndIntegration;

  constructor(private readonly deps: IntegratePartnersDeps) {
    [this.integrate, this.end] = [new IntegratePartners(deps), new EndIntegration(deps)];
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
    res.set('ETag', entityTag(agreement.version)).json(integrationView(agreement));
  };

  readonly put = async (req: Request, res: Response): Promise<void> => {
    const key = keyOf(req);
    const { facts, problems } = readIntegration(bodyOf(req), key);
    const command = { key, settings: integrationSettings(facts), problems, precondition: precondition(req), ...originOf(req) };
    const { agreement, created } = await this.integrate.execute(command);
    res.status(created ? 201 : 200).set('ETag', entityTag(agreement.version));
    res.json(integrationView(agreement));
  };

  readonly remove = async (req: Request, res: Response): Promise<void> => {
    await this.end.execute({ key: keyOf(req), ...originOf(req) });
    res.status(204).end();
  };
}

const keyOf = (req: Request): AgreementKey => ({ clientId: pathId(req, 'clientId'), appId: pathId(req, 'appId') });

/** The whole integration; null and absent are equal. The ids may be repeated, and what the service says of it sent back. */
function readIntegration(body: JsonObject, key: AgreementKey): Reading<IntegrationDto> {
  const { plain, problems: poisonous } = plainOf(body);
  const { client_id = key.clientId, app_id = key.appId, id: _id, version: _version, proposal: _proposal, ...rest } = plain;
  const fixed: FieldProblem[] = [];
  if (client_id !== key.clientId) fixed.push({ path: 'client_id', rule: 'must be the one of the path' });
  if (app_id !== key.appId) fixed.push({ path: 'app_id', rule: 'must be the one of the path' });
  const { facts, problems } = readDto(IntegrationDto, mergePatch({}, rest) as PlainObject);
  const all = [...poisonous, ...fixed, ...unknownMembers(IntegrationDto, rest), ...problems];
  return { facts, problems: [...new Map(all.map((problem) => [problem.path, problem])).values()] };
}

import type { Request, RequestHandler, Response, Router } from 'express';
import type { DecideProposal, WithdrawProposal } from '../../../../../domain/partners/integrations/decide-proposal';
import type { HostAppRepository, IntegrationKey, MiniappRepository } from '../../../../../domain/partners/ports';
import type { ProposeIntegration } from '../../../../../domain/partners/integrations/propose-integration';
import type { PartnerKind } from '../../../../../domain/partners/registry-errors';
import { InvalidInput } from '../../../../../domain/shared/errors';
import { partnersToo, requireSeen, viewerOf } from '../http/access';
import { viewWithWarnings } from './integration-warnings';
import { ProposalDto } from './integration.dto';
import { readInput } from '../http/json-body';
import { featureSwitches } from '../partners/partner-parts.dto';
import { entityTag, precondition } from '../http/precondition';
import { servePath } from '../http/old-serve';
import { originOf, pathId } from '../http/serve';

export interface ProposalRoutesDeps {
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly proposeIntegration: ProposeIntegration;
  readonly decideProposal: DecideProposal;
  readonly withdrawProposal: WithdrawProposal;
}

/** `/integrations/{client_id}/{app_id}/proposal`: one partner proposes and may withdraw; the other accepts or declines. */
export function proposalRoutes(router: Router, readBody: RequestHandler, deps: ProposalRoutesDeps): void {
  const { proposeIntegration: propose, decideProposal: decide, withdrawProposal: withdraw } = deps;
  const path = '/integrations/:clientId/:appId/proposal';
  servePath(router, path, {
    put: partnersToo(readBody, async (req, res) => {
      const key = keyOf(req);
      const { by, features, note } = await readInput(req, ProposalDto);
      const command = { key, by: proposerOf(req, by), features: featureSwitches(features), note, ...originOf(req) };
      const { integrationRecord, created } = await propose.execute(command);
      res.status(created ? 201 : 200).set('ETag', entityTag(integrationRecord.version));
      res.json(await viewWithWarnings(integrationRecord, deps));
    }),
    delete: partnersToo(async (req, res) => {
      await withdraw.execute({ key: keyOf(req), who: viewerOf(req).role, ...originOf(req) });
      res.status(204).end();
    }),
  });
  const answer =
    (how: 'accept' | 'decline') =>
    async (req: Request, res: Response): Promise<void> => {
      const command = { key: keyOf(req), who: viewerOf(req).role, precondition: precondition(req), ...originOf(req) };
      const integrationRecord = await decide[how](command);
      res.set('ETag', entityTag(integrationRecord.version)).json(await viewWithWarnings(integrationRecord, deps));
    };
  servePath(router, `${path}/accept`, { post: partnersToo(answer('accept')) });
  servePath(router, `${path}/decline`, { post: partnersToo(answer('decline')) });
}

/** Reads the integration from the path. Throws ManageProblem (404) where the viewer is on neither side. */
function keyOf(req: Request): IntegrationKey {
  const key = { clientId: pathId(req, 'clientId'), appId: pathId(req, 'appId') };
  requireSeen(req, key);
  return key;
}

/** A partner proposes on its own side, the operator on the side that the body names. Throws InvalidInput. */
function proposerOf(req: Request, named: PartnerKind | undefined): PartnerKind {
  const { role } = viewerOf(req);
  const by = role === 'operator' ? named : role;
  if (by === undefined) throw new InvalidInput([{ path: 'by', rule: 'is required of the operator' }]);
  if (named !== undefined && named !== by) throw new InvalidInput([{ path: 'by', rule: 'must be your own kind of partner' }]);
  return by;
}

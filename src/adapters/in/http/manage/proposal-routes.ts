import type { Request, RequestHandler, Response, Router } from 'express';
import { DecideProposal, WithdrawProposal } from '../../../../domain/partners/decide-proposal';
import type { AgreementKey } from '../../../../domain/partners/ports';
import { ProposeIntegration, type ProposeIntegrationDeps } from '../../../../domain/partners/propose-integration';
import type { PartnerKind } from '../../../../domain/partners/registry-errors';
import { InvalidInput } from '../../../../domain/shared/errors';
import { partnersToo, requireSeen, viewerOf } from './access';
import { viewWithWarnings } from './integration-warnings';
import { ProposalDto } from './integration.dto';
import { factsIn } from './json-body';
import { featureSwitches } from './partner-parts.dto';
import { entityTag, precondition } from './precondition';
import { originOf, pathId, serve } from './serve';

/** `/integrations/{client_id}/{app_id}/proposal`: one partner proposes and may withdraw; the other accepts or declines. */
export function proposalRoutes(router: Router, readBody: RequestHandler, deps: ProposeIntegrationDeps): void {
  const [propose, decide, withdraw] = [new ProposeIntegration(deps), new DecideProposal(deps), new WithdrawProposal(deps)];
  const path = '/integrations/:clientId/:appId/proposal';
  serve(router, path, {
    put: partnersToo(readBody, async (req, res) => {
      const key = keyOf(req);
      const { by, features, note } = factsIn(req, ProposalDto);
      const command = { key, by: proposerOf(req, by), features: featureSwitches(features), note, ...originOf(req) };
      const { agreement, created } = await propose.execute(command);
      res.status(created ? 201 : 200).set('ETag', entityTag(agreement.version));
      res.json(await viewWithWarnings(agreement, deps));
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
      const agreement = await decide[how](command);
      res.set('ETag', entityTag(agreement.version)).json(await viewWithWarnings(agreement, deps));
    };
  serve(router, `${path}/accept`, { post: partnersToo(answer('accept')) });
  serve(router, `${path}/decline`, { post: partnersToo(answer('decline')) });
}

/** Throws ManageProblem (404) where neither of the two is the viewer's. */
function keyOf(req: Request): AgreementKey {
  const key = { clientId: pathId(req, 'clientId'), appId: pathId(req, 'appId') };
  requireSeen(req, key);
  return key;
}

/** A partner proposes on its own side, the operator on the one that it names. Throws InvalidInput. */
function proposerOf(req: Request, named: PartnerKind | undefined): PartnerKind {
  const { role } = viewerOf(req);
  const by = role === 'operator' ? named : role;
  if (by === undefined) throw new InvalidInput([{ path: 'by', rule: 'is required of the operator' }]);
  if (named !== undefined && named !== by) throw new InvalidInput([{ path: 'by', rule: 'must be your own kind of partner' }]);
  return by;
}

import type { Request, Response } from 'express';
import type { DecideProposal, WithdrawProposal } from '../../../../../domain/partners/integrations/decide-proposal';
import type { HostAppRepository, MiniappRepository } from '../../../../../domain/partners/ports';
import type { ProposeIntegration } from '../../../../../domain/partners/integrations/propose-integration';
import type { PartnerKind } from '../../../../../domain/partners/registry-errors';
import { InvalidInput } from '../../../../../domain/shared/errors';
import { viewerOf } from '../http/access';
import { viewWithWarnings } from './integration-warnings';
import { ProposalDto } from './integration.dto';
import { readInput } from '../http/json-body';
import { featureSwitches } from '../partners/partner-parts.dto';
import { entityTag, precondition } from '../http/precondition';
import { type Mount, originOf, serve } from '../http/serve';
import { proposalCalls } from './integration-calls';
import { integrationKey } from './integration-reader';

export interface ProposalRoutesDeps {
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly proposeIntegration: ProposeIntegration;
  readonly decideProposal: DecideProposal;
  readonly withdrawProposal: WithdrawProposal;
}

/** Serves the calls about proposals. */
export function proposalRoutes(mount: Mount, deps: ProposalRoutesDeps): void {
  const { proposeIntegration, decideProposal, withdrawProposal } = deps;
  const answer =
    (how: 'accept' | 'decline') =>
    async (req: Request, res: Response): Promise<void> => {
      const command = { key: integrationKey(req), who: viewerOf(req).role, precondition: precondition(req), ...originOf(req) };
      const integrationRecord = await decideProposal[how](command);
      res.set('ETag', entityTag(integrationRecord.version)).json(await viewWithWarnings(integrationRecord, deps));
    };
  serve(mount, proposalCalls, {
    propose: async (req, res) => {
      const key = integrationKey(req);
      const { by, features, note } = await readInput(req, ProposalDto);
      const command = { key, by: proposerOf(req, by), features: featureSwitches(features), note, ...originOf(req) };
      const { integrationRecord, created } = await proposeIntegration.execute(command);
      res.status(created ? 201 : 200).set('ETag', entityTag(integrationRecord.version));
      res.json(await viewWithWarnings(integrationRecord, deps));
    },
    withdraw: async (req, res) => {
      await withdrawProposal.execute({ key: integrationKey(req), who: viewerOf(req).role, ...originOf(req) });
      res.status(204).end();
    },
    accept: answer('accept'),
    decline: answer('decline'),
  });
}

/** A partner proposes on its own side, the operator on the side that the body names. Throws InvalidInput. */
function proposerOf(req: Request, named: PartnerKind | undefined): PartnerKind {
  const { role } = viewerOf(req);
  const by = role === 'operator' ? named : role;
  if (by === undefined) throw new InvalidInput([{ path: 'by', rule: 'is required of the operator' }]);
  if (named !== undefined && named !== by) throw new InvalidInput([{ path: 'by', rule: 'must be your own kind of partner' }]);
  return by;
}

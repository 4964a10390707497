import type { Request, Response } from 'express';
import type { CallerReader } from '../../../../../domain/credentials/caller-tally';
import {
  type CredentialOverview,
  credentialOverview,
  unusedForMs,
  type ValueOverview,
} from '../../../../../domain/credentials/credential-overview';
import type { PublicKeyReader } from '../../../../../domain/credentials/ports';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import type { PartnerRepository } from '../../../../../domain/partners/ports';
import { UnknownPartner } from '../../../../../domain/partners/registry-errors';
import type { Clock } from '../../../../../domain/shared/ports';
import { Secret } from '../../../../../domain/shared/secret';
import { readInput } from '../http/json-body';
import type { PlainObject } from '../http/merge-patch';
import { type PartnerMapper, timeText, valueView } from '../partners/partner-mapper';
import type { PartnerUseCases } from '../partners/partner-use-cases';
import { ChallengeDto, ProofDto, SampleDto } from './possession.dto';
import { type Mount, originOf, serve } from '../http/serve';
import { kinds, ownPartnerId } from '../partners/partner-kinds';
import { credentialOverviews, possessionCalls } from './credential-calls';

export interface CredentialRoutesDeps<P extends Partner> {
  readonly mapper: PartnerMapper<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly useCases: Pick<PartnerUseCases<P>, 'prove'>;
  readonly callers: CallerReader;
  readonly keys: PublicKeyReader;
  readonly clock: Clock;
}

/** Serves the state of a partner's credentials, and proofs of possession. */
export function credentialRoutes<P extends Partner>(mount: Mount, deps: CredentialRoutesDeps<P>): void {
  const controller = new CredentialsController(deps);
  const kind = kinds[deps.mapper.kind];
  serve(mount, credentialOverviews(kind), controller);
  serve(mount, possessionCalls(kind), controller);
}

class CredentialsController<P extends Partner> {
  constructor(private readonly deps: CredentialRoutesDeps<P>) {}

  readonly list = async (req: Request, res: Response): Promise<void> => {
    const { partners, callers, keys, clock, mapper } = this.deps;
    const partner = await partners.find(ownPartnerId(req, this.deps.mapper.kind));
    if (!partner) throw new UnknownPartner(mapper.kind);
    const now = clock.now();
    const callerRows = await callers.credentialCallers(partner, now - unusedForMs);
    const shared = await partners.sharedKeys(partner.id);
    const overview = credentialOverview(partner, { callers: callerRows, keys, now });
    res.json({ data: overview.map((one) => overviewView(partner, one, shared)), next_cursor: null });
  };

  readonly challenge = async (req: Request, res: Response): Promise<void> => {
    const { credential, slot = 'next', value } = await readInput(req, ChallengeDto);
    const given = value === undefined ? undefined : new Secret(value);
    const { text, until, ...how } = await this.deps.useCases.prove.challenge({
      id: ownPartnerId(req, this.deps.mapper.kind),
      credential,
      slot,
      given,
    });
    res.json({ challenge: text, expires_at: timeText(until), ...how });
  };

  readonly prove = async (req: Request, res: Response): Promise<void> => {
    const { slot = 'next', ...proof } = await readInput(req, ProofDto);
    res.json(
      this.deps.mapper.view(
        await this.deps.useCases.prove.execute({ ...proof, slot, id: ownPartnerId(req, this.deps.mapper.kind), ...originOf(req) }),
      ),
    );
  };

  readonly sample = async (req: Request, res: Response): Promise<void> => {
    const { slot = 'current' } = await readInput(req, SampleDto);
    const { text, signature, value } = await this.deps.useCases.prove.sample({ id: ownPartnerId(req, this.deps.mapper.kind), slot });
    res.json({ text, signature, fingerprint: value.fingerprint, public_key: value.publicKey });
  };
}

/** A key that another app has too is marked as shared, without naming the other app. */
const overviewView = (
  partner: Partner,
  { kind, direction, method, isActive, values }: CredentialOverview,
  shared: ReadonlySet<string>,
): PlainObject => ({
  credential: kind,
  direction,
  method,
  is_active: isActive,
  values: values.map((one) => ({
    ...valueOverviewView(partner, one),
    ...(kind === 'partner_public_key' && shared.has(one.value.publicKey ?? '') && { shared: true }),
  })),
});

const valueOverviewView = ({ settings }: Partner, { slot, value, details, removal, callers }: ValueOverview): PlainObject => ({
  slot,
  ...valueView(value, settings.signature),
  key_type: details.type,
  bits: details.bits,
  ...(details.curve !== undefined && { curve: details.curve }),
  removal,
  callers: callers.map(({ address, uses, lastAt }) => ({ address, uses, last_at: timeText(lastAt) })),
});

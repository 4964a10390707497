import type { Request, RequestHandler, Response, Router } from 'express';
import type { CallerBook } from '../../../../domain/credentials/caller-tally';
import {
  type CredentialOverview,
  credentialOverview,
  unusedForMs,
  type ValueOverview,
} from '../../../../domain/credentials/credential-overview';
import type { KeyImport } from '../../../../domain/credentials/ports';
import type { Partner } from '../../../../domain/partners/partner-draft';
import type { PartnerRepository } from '../../../../domain/partners/ports';
import type { ProvePossession } from '../../../../domain/partners/prove-possession';
import { UnknownPartner } from '../../../../domain/partners/registry-errors';
import type { Clock } from '../../../../domain/shared/ports';
import { Secret } from '../../../../domain/shared/secret';
import { partnersOf, requireOwn } from './access';
import { factsIn } from './json-body';
import type { PlainObject } from './merge-patch';
import { type PartnerWire, timeText, valueView } from './partner-wire';
import { ChallengeDto, ProofDto, SampleDto } from './possession.dto';
import { originOf, pathId, serve } from './serve';

export interface CredentialRoutesDeps<P extends Partner> {
  readonly wire: PartnerWire<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly prove: ProvePossession<P>;
  readonly callers: CallerBook;
  readonly keys: KeyImport;
  readonly clock: Clock;
}

/** `/{partner}/credentials`, `/challenge`, `/prove`, `/sample`: what a partner's credentials are worth, and proofs of possession. */
export function credentialRoutes<P extends Partner>(router: Router, readBody: RequestHandler, deps: CredentialRoutesDeps<P>): void {
  const controller = new CredentialsController(deps);
  const { path, kind } = deps.wire;
  const own = partnersOf(kind);
  serve(router, `/${path}/:id/credentials`, { get: own(controller.list) });
  serve(router, `/${path}/:id/challenge`, { post: own(readBody, controller.challenge) });
  serve(router, `/${path}/:id/prove`, { post: own(readBody, controller.prove) });
  serve(router, `/${path}/:id/sample`, { post: own(readBody, controller.sample) });
}

class CredentialsController<P extends Partner> {
  constructor(private readonly deps: CredentialRoutesDeps<P>) {}

  readonly list = async (req: Request, res: Response): Promise<void> => {
    const { partners, callers, keys, clock, wire } = this.deps;
    const partner = await partners.find(this.ownId(req));
    if (!partner) throw new UnknownPartner(wire.kind);
    const now = clock.now();
    const book = await callers.credentialCallers(partner, now - unusedForMs);
    const shared = await partners.sharedKeys(partner.id);
    const overview = credentialOverview(partner, { callers: book, keys, now });
    res.json({ data: overview.map((one) => overviewView(partner, one, shared)), next_cursor: null });
  };

  readonly challenge = async (req: Request, res: Response): Promise<void> => {
    const { credential, slot = 'next', value } = factsIn(req, ChallengeDto);
    const given = value === undefined ? undefined : new Secret(value);
    const { text, until, ...how } = await this.deps.prove.challenge({ id: this.ownId(req), credential, slot, given });
    res.json({ challenge: text, expires_at: timeText(until), ...how });
  };

  readonly prove = async (req: Request, res: Response): Promise<void> => {
    const { slot = 'next', ...proof } = factsIn(req, ProofDto);
    res.json(this.deps.wire.view(await this.deps.prove.execute({ ...proof, slot, id: this.ownId(req), ...originOf(req) })));
  };

  readonly sample = async (req: Request, res: Response): Promise<void> => {
    const { slot = 'current' } = factsIn(req, SampleDto);
    const { text, signature, value } = await this.deps.prove.sample({ id: this.ownId(req), slot });
    res.json({ text, signature, fingerprint: value.fingerprint, public_key: value.publicKey });
  };

  private ownId(req: Request): string {
    const id = pathId(req, 'id');
    requireOwn(req, this.deps.wire.kind, id);
    return id;
  }
}

/** A key that another app has too is shown as shared; whose app that is, is not. */
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

const valueOverviewView = ({ settings }: Partner, { slot, value, facts, removal, callers }: ValueOverview): PlainObject => ({
  slot,
  ...valueView(value, settings.signature),
  key_type: facts.type,
  bits: facts.bits,
  ...(facts.curve !== undefined && { curve: facts.curve }),
  removal,
  callers: callers.map(({ address, uses, lastAt }) => ({ address, uses, last_at: timeText(lastAt) })),
});

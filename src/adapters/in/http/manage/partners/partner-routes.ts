import type { Request, Response } from 'express';
import type { Viewer } from '../../../../../domain/accounts/viewer';
import type { CredentialKind } from '../../../../../domain/credentials/credential';
import { defaultGraceS } from '../../../../../domain/credentials/rotation';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import type { IntegrationRepository, PageRequest, PartnerRepository } from '../../../../../domain/partners/ports';
import { UnknownPartner } from '../../../../../domain/partners/registry-errors';
import type { Rotation } from '../../../../../domain/partners/credentials/rotate-credential';
import type { SettingWarning } from '../../../../../domain/partners/setting-warnings';
import { InvalidInput } from '../../../../../domain/shared/errors';
import { Secret } from '../../../../../domain/shared/secret';
import { viewerOf } from '../http/access';
import { counterpartView, VisiblePartners } from './counterparts';
import { PromoteDto, RevokeDto, RotateDto } from '../credentials/credential.dto';
import type { DraftReader } from './draft-reader';
import { bodyOf, readInput } from '../http/json-body';
import type { PlainObject } from '../http/merge-patch';
import { cutShortWarning, type PartnerMapper, withWarning } from './partner-mapper';
import type { PartnerUseCases } from './partner-use-cases';
import { entityTag } from '../http/precondition';
import { pageOf } from '../http/query';
import { sendPage } from '../http/send-pieces';
import { type Mount, originOf, serve } from '../http/serve';
import { credentialChanges, partnerCalls } from './partner-calls';
import { kinds, partnerId, partnerToChange } from './partner-kinds';

/** Dependencies of the routes of one kind of partner. */
export interface PartnerRoutesDeps<P extends Partner> {
  readonly mapper: PartnerMapper<P>;
  readonly drafts: DraftReader<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly integrations: IntegrationRepository;
  readonly useCases: PartnerUseCases<P>;
  /** Warnings about stored settings that result from traffic. */
  readonly trafficWarnings: (partner: P) => Promise<readonly SettingWarning[]>;
}

/** Serves the calls about partners of one kind, and changes of their credentials. */
export function partnerRoutes<P extends Partner>(mount: Mount, deps: PartnerRoutesDeps<P>): void {
  const controller = new PartnersController(deps);
  const kind = kinds[deps.mapper.kind];
  serve(mount, partnerCalls(kind), controller);
  serve(mount, credentialChanges(kind), controller);
}

class PartnersController<P extends Partner> {
  private readonly visible: VisiblePartners<P>;

  constructor(private readonly deps: PartnerRoutesDeps<P>) {
    this.visible = new VisiblePartners({ ...deps, kind: deps.mapper.kind });
  }

  readonly list = async (req: Request, res: Response, { page }: { readonly page: PageRequest }): Promise<void> => {
    const viewer = viewerOf(req);
    const list = (wanted: PageRequest) => this.visible.list(viewer, wanted);
    await sendPage(res, await pageOf(page, list, { show: this.viewFor(viewer), cursorOf: ({ id }) => id }));
  };

  readonly create = async (req: Request, res: Response): Promise<void> => {
    const given = this.deps.drafts.tidy(await bodyOf(req));
    const { partner, secretKey } = await this.deps.useCases.register.execute({ ...this.deps.drafts.registration(given), ...originOf(req) });
    res.status(201).location(`${req.baseUrl}/${kinds[this.deps.mapper.kind].path}/${partner.id}`);
    this.show(res, partner, { warnings: given.warnings, once: { secret_key: secretKey.reveal() } });
  };

  readonly get = async (req: Request, res: Response): Promise<void> => {
    const viewer = viewerOf(req);
    const partner = await this.visible.find(viewer, partnerId(req, this.deps.mapper.kind));
    if (!partner) throw new UnknownPartner(this.deps.mapper.kind);
    res.set('ETag', entityTag(partner.version)).json(this.viewFor(viewer)(partner));
  };

  readonly patch = async (req: Request, res: Response): Promise<void> => {
    const given = this.deps.drafts.tidy(await bodyOf(req));
    const partner = await this.deps.useCases.change.execute({
      ...partnerToChange(req, this.deps.mapper.kind),
      edit: this.deps.drafts.edit(given),
    });
    const warnings = [...given.warnings, ...(await this.deps.trafficWarnings(partner))];
    this.show(res, partner, { warnings });
  };

  readonly remove = async (req: Request, res: Response): Promise<void> => {
    await this.deps.useCases.remove.execute({ id: partnerId(req, this.deps.mapper.kind), ...originOf(req) });
    res.status(204).end();
  };

  readonly rotate = async (req: Request, res: Response): Promise<void> => {
    const input = await readInput(req, RotateDto);
    const { credential, slot = 'current', value, algorithm, previous_valid_for_s: graceS } = input;
    if (slot === 'next' && graceS !== undefined) {
      throw new InvalidInput([{ path: 'previous_valid_for_s', rule: 'must be absent with the slot next: nothing is replaced yet' }]);
    }
    const secret = value === undefined ? undefined : new Secret(value);
    const request = { credential, slot, value: secret, algorithm, previousValidForS: graceS ?? defaultGraceS };
    const shared = { acknowledgesSharedKey: input.acknowledge_shared_key, proof: proofIn(input) };
    this.showRotation(
      res,
      await this.deps.useCases.rotate.execute({ ...partnerToChange(req, this.deps.mapper.kind), ...request, ...shared }),
      credential,
    );
  };

  readonly promote = async (req: Request, res: Response): Promise<void> => {
    const { credential, previous_valid_for_s: previousValidForS = defaultGraceS } = await readInput(req, PromoteDto);
    this.showRotation(
      res,
      await this.deps.useCases.promote.execute({ ...partnerToChange(req, this.deps.mapper.kind), credential, previousValidForS }),
      credential,
    );
  };

  readonly revoke = async (req: Request, res: Response): Promise<void> => {
    const { credential, which } = await readInput(req, RevokeDto);
    this.show(res, await this.deps.useCases.revoke.execute({ ...partnerToChange(req, this.deps.mapper.kind), credential, which }));
  };

  /** Partners see only the public part of the other side of their integrations. */
  private viewFor({ role }: Viewer): (partner: P) => PlainObject {
    const { mapper } = this.deps;
    return role === 'operator' || role === mapper.kind ? mapper.view : counterpartView;
  }

  private showRotation(res: Response, { partner, made, cutShort }: Rotation<P>, credential: CredentialKind): void {
    const view = this.deps.mapper.view(partner);
    const shown = cutShort ? withWarning(view, cutShortWarning(credential, cutShort)) : view;
    res.set('ETag', entityTag(partner.version)).json({ ...shown, ...(made && { secret_key: made.reveal() }) });
  }

  /** `warnings` belong to this change alone; `once` is shown this one time. */
  private show(
    res: Response,
    partner: P,
    { warnings = [], once = {} }: { warnings?: readonly SettingWarning[]; once?: PlainObject } = {},
  ): void {
    const view = warnings.reduce(withWarning, this.deps.mapper.view(partner));
    res.set('ETag', entityTag(partner.version)).json({ ...view, ...once });
  }
}

/** The signed challenge of a rotation. Throws InvalidInput where one half is missing. */
function proofIn({ challenge, signature }: RotateDto): { readonly challenge: string; readonly signature: string } | undefined {
  if (challenge === undefined && signature === undefined) return undefined;
  if (challenge === undefined) throw new InvalidInput([{ path: 'challenge', rule: 'is required with signature' }]);
  if (signature === undefined) throw new InvalidInput([{ path: 'signature', rule: 'is required with challenge' }]);
  return { challenge, signature };
}

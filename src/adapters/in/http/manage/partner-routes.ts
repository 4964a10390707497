import type { Request, RequestHandler, Response, Router } from 'express';
import type { Viewer } from '../../../../domain/accounts/viewer';
import type { CredentialKind } from '../../../../domain/credentials/credential';
import { defaultGraceS } from '../../../../domain/credentials/rotation';
import type { ChangePartnerSettings } from '../../../../domain/partners/change-partner-settings';
import type { ChangeOrigin, Partner } from '../../../../domain/partners/partner-draft';
import type { AgreementRepository, PageRequest, PartnerRepository } from '../../../../domain/partners/ports';
import type { PromoteCredential } from '../../../../domain/partners/promote-credential';
import type { RegisterPartner } from '../../../../domain/partners/register-partner';
import { UnknownPartner } from '../../../../domain/partners/registry-errors';
import type { RemovePartner } from '../../../../domain/partners/remove-partner';
import type { RevokeCredential } from '../../../../domain/partners/revoke-credential';
import type { RotateCredential, Rotation } from '../../../../domain/partners/rotate-credential';
import type { SettingWarning } from '../../../../domain/partners/setting-warnings';
import { InvalidInput } from '../../../../domain/shared/errors';
import { Secret } from '../../../../domain/shared/secret';
import { operatorOnly, partnersOf, partnersToo, requireOwn, viewerOf } from './access';
import { counterpartView, VisiblePartners } from './counterparts';
import { PromoteDto, RevokeDto, RotateDto } from './credential.dto';
import type { DraftReader } from './draft-reader';
import { bodyOf, factsIn } from './json-body';
import type { PlainObject } from './merge-patch';
import { cutShortWarning, type PartnerWire, withWarning } from './partner-wire';
import { entityTag, precondition } from './precondition';
import { listQuery, pageOf } from './query';
import { originOf, pathId, serve } from './serve';

/** What the routes of one kind of partner work with. */
export interface PartnerRoutesDeps<P extends Partner> {
  readonly wire: PartnerWire<P>;
  readonly drafts: DraftReader<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly agreements: AgreementRepository;
  readonly register: RegisterPartner<P>;
  readonly change: ChangePartnerSettings<P>;
  readonly remove: RemovePartner<P>;
  readonly rotate: RotateCredential<P>;
  readonly promote: PromoteCredential<P>;
  readonly revoke: RevokeCredential<P>;
  /** Warnings about stored settings that follow from traffic. */
  readonly trafficWarnings: (partner: P) => Promise<readonly SettingWarning[]>;
}

/** `/host-apps` or `/miniapps` and what lies below. */
export function partnerRoutes<P extends Partner>(router: Router, readBody: RequestHandler, deps: PartnerRoutesDeps<P>): void {
  const controller = new PartnersController(deps);
  const { path, kind } = deps.wire;
  const own = partnersOf(kind);
  serve(router, `/${path}`, { get: partnersToo(controller.list), post: operatorOnly(readBody, controller.create) });
  serve(router, `/${path}/:id`, {
    get: partnersToo(controller.get),
    patch: own(readBody, controller.patch),
    delete: operatorOnly(controller.remove),
  });
  serve(router, `/${path}/:id/rotate`, { post: own(readBody, controller.rotate) });
  serve(router, `/${path}/:id/promote`, { post: own(readBody, controller.promote) });
  serve(router, `/${path}/:id/revoke`, { post: own(readBody, controller.revoke) });
}

class PartnersController<P extends Partner> {
  private readonly visible: VisiblePartners<P>;

  constructor(private readonly deps: PartnerRoutesDeps<P>) {
    this.visible = new VisiblePartners({ ...deps, kind: deps.wire.kind });
  }

  readonly list = async (req: Request, res: Response): Promise<void> => {
    const { page } = listQuery(req, {});
    const viewer = viewerOf(req);
    const list = (wanted: PageRequest) => this.visible.list(viewer, wanted);
    res.json(await pageOf(page, list, { show: this.viewFor(viewer), cursorOf: ({ id }) => id }));
  };

  readonly create = async (req: Request, res: Response): Promise<void> => {
    const given = this.deps.drafts.tidy(bodyOf(req));
    const { partner, secretKey } = await this.deps.register.execute({ ...this.deps.drafts.registration(given), ...originOf(req) });
    res.status(201).location(`${req.baseUrl}/${this.deps.wire.path}/${partner.id}`);
    this.show(res, partner, { warnings: given.warnings, once: { secret_key: secretKey.reveal() } });
  };

  readonly get = async (req: Request, res: Response): Promise<void> => {
    const viewer = viewerOf(req);
    const partner = await this.visible.find(viewer, pathId(req, 'id'));
    if (!partner) throw new UnknownPartner(this.deps.wire.kind);
    res.set('ETag', entityTag(partner.version)).json(this.viewFor(viewer)(partner));
  };

  readonly patch = async (req: Request, res: Response): Promise<void> => {
    const given = this.deps.drafts.tidy(bodyOf(req));
    const partner = await this.deps.change.execute({ ...this.target(req), edit: this.deps.drafts.edit(given) });
    const warnings = [...given.warnings, ...(await this.deps.trafficWarnings(partner))];
    this.show(res, partner, { warnings });
  };

  readonly remove = async (req: Request, res: Response): Promise<void> => {
    await this.deps.remove.execute({ id: pathId(req, 'id'), ...originOf(req) });
    res.status(204).end();
  };

  readonly rotate = async (req: Request, res: Response): Promise<void> => {
    const facts = factsIn(req, RotateDto);
    const { credential, slot = 'current', value, algorithm, previous_valid_for_s: graceS } = facts;
    if (slot === 'next' && graceS !== undefined) {
      throw new InvalidInput([{ path: 'previous_valid_for_s', rule: 'must be absent with the slot next: nothing is replaced yet' }]);
    }
    const secret = value === undefined ? undefined : new Secret(value);
    const asked = { credential, slot, value: secret, algorithm, previousValidForS: graceS ?? defaultGraceS };
    const shared = { acknowledgesSharedKey: facts.acknowledge_shared_key, proof: proofIn(facts) };
    this.showRotation(res, await this.deps.rotate.execute({ ...this.target(req), ...asked, ...shared }), credential);
  };

  readonly promote = async (req: Request, res: Response): Promise<void> => {
    const { credential, previous_valid_for_s: previousValidForS = defaultGraceS } = factsIn(req, PromoteDto);
    this.showRotation(res, await this.deps.promote.execute({ ...this.target(req), credential, previousValidForS }), credential);
  };

  readonly revoke = async (req: Request, res: Response): Promise<void> => {
    const { credential, which } = factsIn(req, RevokeDto);
    this.show(res, await this.deps.revoke.execute({ ...this.target(req), credential, which }));
  };

  /** Which partner a change is for, in which version, and who asks. */
  private target(req: Request): ChangeOrigin & { readonly id: string; readonly precondition: (version: number | undefined) => void } {
    const id = pathId(req, 'id');
    requireOwn(req, this.deps.wire.kind, id);
    return { id, precondition: precondition(req), ...originOf(req) };
  }

  /** Of the other side of its integrations a partner sees what people see of it. */
  private viewFor({ role }: Viewer): (partner: P) => PlainObject {
    const { wire } = this.deps;
    return role === 'operator' || role === wire.kind ? wire.view : counterpartView;
  }

  private showRotation(res: Response, { partner, made, cutShort }: Rotation<P>, credential: CredentialKind): void {
    const view = this.deps.wire.view(partner);
    const shown = cutShort ? withWarning(view, cutShortWarning(credential, cutShort)) : view;
    res.set('ETag', entityTag(partner.version)).json({ ...shown, ...(made && { secret_key: made.reveal() }) });
  }

  /** `warnings`: of this change alone; `once`: shown this one time. */
  private show(
    res: Response,
    partner: P,
    { warnings = [], once = {} }: { warnings?: readonly SettingWarning[]; once?: PlainObject } = {},
  ): void {
    const view = warnings.reduce(withWarning, this.deps.wire.view(partner));
    res.set('ETag', entityTag(partner.version)).json({ ...view, ...once });
  }
}

/** The signed challenge of a rotation. Throws InvalidInput where half of it is there. */
function proofIn({ challenge, signature }: RotateDto): { readonly challenge: string; readonly signature: string } | undefined {
  if (challenge === undefined && signature === undefined) return undefined;
  if (challenge === undefined) throw new InvalidInput([{ path: 'challenge', rule: 'is required with signature' }]);
  if (signature === undefined) throw new InvalidInput([{ path: 'signature', rule: 'is required with challenge' }]);
  return { challenge, signature };
}

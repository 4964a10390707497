import type { Request, RequestHandler, Response, Router } from 'express';
import { defaultGraceS } from '../../../../domain/credentials/rotation';
import { shadowReport, type ShadowReport } from '../../../../domain/credentials/shadow-report';
import { type ShadowBook, shadowRules, type ShadowCall } from '../../../../domain/credentials/signature-shadow';
import type { EndShadow, PromoteShadow } from '../../../../domain/partners/end-shadow';
import type { ChangeOrigin, Partner } from '../../../../domain/partners/partner-draft';
import type { PartnerRepository } from '../../../../domain/partners/ports';
import { UnknownPartner, UnknownShadow } from '../../../../domain/partners/registry-errors';
import type { SetShadow } from '../../../../domain/partners/set-shadow';
import { JsonObject } from '../../../../domain/shared/json';
import { partnersOf, requireOwn } from './access';
import type { DraftReader } from './draft-reader';
import { bodyOf, factsIn } from './json-body';
import { type PartnerWire, shadowView, timeText } from './partner-wire';
import { entityTag, precondition } from './precondition';
import { present } from './present';
import { query, whole } from './query';
import { originOf, pathId, serve } from './serve';
import { PromoteShadowDto, ShadowDto } from './shadow.dto';

export interface ShadowRoutesDeps<P extends Partner> {
  readonly wire: PartnerWire<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly shadows: ShadowBook;
  readonly drafts: DraftReader<P>;
  readonly set: SetShadow<P>;
  readonly promote: PromoteShadow<P>;
  readonly end: EndShadow<P>;
}

/** `/{partner}/signature-shadow`: other signature settings, tried on every call beside those that are stored, and how calls fare. */
export function shadowRoutes<P extends Partner>(router: Router, readBody: RequestHandler, deps: ShadowRoutesDeps<P>): void {
  const controller = new ShadowController(deps);
  const { path, kind } = deps.wire;
  const own = partnersOf(kind);
  serve(router, `/${path}/:id/signature-shadow`, {
    get: own(controller.show),
    put: own(readBody, controller.set),
    delete: own(controller.end),
  });
  serve(router, `/${path}/:id/signature-shadow/promote`, { post: own(readBody, controller.promote) });
}

class ShadowController<P extends Partner> {
  constructor(private readonly deps: ShadowRoutesDeps<P>) {}

  readonly show = async (req: Request, res: Response): Promise<void> => {
    const { last } = query(req, { last: whole(1, shadowRules.callsKept) });
    const { id } = this.target(req);
    const partner = await this.deps.partners.find(id);
    if (!partner) throw new UnknownPartner(this.deps.wire.kind);
    await this.answer(res, partner, last);
  };

  readonly set = async (req: Request, res: Response): Promise<void> => {
    const { mode, valid_for_s: validForS, signature } = factsIn(req, ShadowDto);
    const edit =
      signature && this.deps.drafts.edit(this.deps.drafts.tidy(JsonObject.of({ signature: signedPatch(bodyOf(req).get('signature')) })));
    await this.answer(res, await this.deps.set.execute({ ...this.target(req), mode, validForS, edit }));
  };

  readonly promote = async (req: Request, res: Response): Promise<void> => {
    const { previous_valid_for_s: previousValidForS = defaultGraceS } = factsIn(req, PromoteShadowDto);
    const partner = await this.deps.promote.execute({ ...this.target(req), previousValidForS });
    res.set('ETag', entityTag(partner.version)).json(this.deps.wire.view(partner));
  };

  readonly end = async (req: Request, res: Response): Promise<void> => {
    await this.deps.end.execute(this.target(req));
    res.status(204).end();
  };

  private async answer(res: Response, partner: P, last: number = shadowRules.callsKept): Promise<void> {
    const { signatureShadow: shadow } = partner.settings;
    if (!shadow) throw new UnknownShadow();
    const report = await shadowReport(this.deps.shadows, { partner, shadowId: shadow.id }, last);
    res.set('ETag', entityTag(partner.version)).json({ ...shadowView(partner, shadow), report: reportView(report) });
  }

  private target(req: Request): ChangeOrigin & { readonly id: string; readonly precondition: (version: number | undefined) => void } {
    const id = pathId(req, 'id');
    requireOwn(req, this.deps.wire.kind, id);
    return { id, precondition: precondition(req), ...originOf(req) };
  }
}

/** A shadow asks for a signature, unless its settings say otherwise, which is refused. */
function signedPatch(patch: ReturnType<JsonObject['get']>): JsonObject {
  const members = patch instanceof JsonObject ? patch.members : new Map<string, never>();
  return new JsonObject(new Map([['enabled', true], ...members]));
}

const reportView = ({ counts, lastAt, reasons, ofLast, differing }: ShadowReport): object =>
  present({
    counts,
    last_at: timeText(lastAt),
    reasons: reasons.map(({ errorCode, cause, count }) => present({ error_code: errorCode, cause, count })),
    of_last: ofLast,
    differing: differing.map(callView),
  });

const callView = ({ verdict, errorCode, cause, requestId, path, at }: ShadowCall): object =>
  present({ verdict, error_code: errorCode, cause, request_id: requestId, path, at: timeText(at) });

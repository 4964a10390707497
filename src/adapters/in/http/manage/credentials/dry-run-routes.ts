import type { Request, RequestHandler, Response, Router } from 'express';
import { defaultGraceS } from '../../../../../domain/credentials/rotation';
import { dryRunReport, type DryRunReport } from '../../../../../domain/credentials/dry-run/dry-run-report';
import { type DryRunReader, dryRunRules, type DryRunCall } from '../../../../../domain/credentials/dry-run/signature-dry-run';
import type { ChangeOrigin, Partner } from '../../../../../domain/partners/partner-draft';
import type { PartnerRepository } from '../../../../../domain/partners/ports';
import { UnknownPartner, UnknownDryRun } from '../../../../../domain/partners/registry-errors';
import { JsonObject } from '../../../../../domain/shared/json';
import { partnersOf, requireOwn, readsQuery } from '../http/access';
import type { DraftReader } from '../partners/draft-reader';
import { bodyOf, readInput } from '../http/json-body';
import { type PartnerMapper, dryRunView, timeText } from '../partners/partner-mapper';
import type { PartnerUseCases } from '../partners/partner-use-cases';
import { entityTag, precondition } from '../http/precondition';
import { present } from '../http/present';
import { query, whole } from '../http/old-query';
import { servePath } from '../http/old-serve';
import { originOf, pathId } from '../http/serve';
import { PromoteDryRunDto, DryRunDto } from './dry-run.dto';

export interface DryRunRoutesDeps<P extends Partner> {
  readonly mapper: PartnerMapper<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly dryRuns: DryRunReader;
  readonly drafts: DraftReader<P>;
  readonly useCases: Pick<PartnerUseCases<P>, 'setDryRun' | 'promoteDryRun' | 'endDryRun'>;
}

/** `/{partner}/signature-dry-run`: signature settings that are tried on every call beside the stored ones, and the results. */
export function dryRunRoutes<P extends Partner>(router: Router, readBody: RequestHandler, deps: DryRunRoutesDeps<P>): void {
  const controller = new DryRunController(deps);
  const { path, kind } = deps.mapper;
  const own = partnersOf(kind);
  servePath(router, `/${path}/:id/signature-dry-run`, {
    get: own(readsQuery, controller.show),
    put: own(readBody, controller.set),
    delete: own(controller.end),
  });
  servePath(router, `/${path}/:id/signature-dry-run/promote`, { post: own(readBody, controller.promote) });
}

class DryRunController<P extends Partner> {
  constructor(private readonly deps: DryRunRoutesDeps<P>) {}

  readonly show = async (req: Request, res: Response): Promise<void> => {
    const { last } = query(req, { last: whole(1, dryRunRules.callsKept) });
    const { id } = this.target(req);
    const partner = await this.deps.partners.find(id);
    if (!partner) throw new UnknownPartner(this.deps.mapper.kind);
    await this.answer(res, partner, last);
  };

  readonly set = async (req: Request, res: Response): Promise<void> => {
    const { mode, valid_for_s: validForS, signature } = await readInput(req, DryRunDto);
    const edit =
      signature &&
      this.deps.drafts.edit(this.deps.drafts.tidy(JsonObject.of({ signature: signedPatch((await bodyOf(req)).get('signature')) })));
    await this.answer(res, await this.deps.useCases.setDryRun.execute({ ...this.target(req), mode, validForS, edit }));
  };

  readonly promote = async (req: Request, res: Response): Promise<void> => {
    const { previous_valid_for_s: previousValidForS = defaultGraceS } = await readInput(req, PromoteDryRunDto);
    const partner = await this.deps.useCases.promoteDryRun.execute({ ...this.target(req), previousValidForS });
    res.set('ETag', entityTag(partner.version)).json(this.deps.mapper.view(partner));
  };

  readonly end = async (req: Request, res: Response): Promise<void> => {
    await this.deps.useCases.endDryRun.execute(this.target(req));
    res.status(204).end();
  };

  private async answer(res: Response, partner: P, last: number = dryRunRules.callsKept): Promise<void> {
    const { signatureDryRun: dryRun } = partner.settings;
    if (!dryRun) throw new UnknownDryRun();
    const report = await dryRunReport(this.deps.dryRuns, { partner, dryRunId: dryRun.id }, last);
    res.set('ETag', entityTag(partner.version)).json({ ...dryRunView(partner, dryRun), report: reportView(report) });
  }

  private target(req: Request): ChangeOrigin & { readonly id: string; readonly precondition: (version: number | undefined) => void } {
    const id = pathId(req, 'id');
    requireOwn(req, this.deps.mapper.kind, id);
    return { id, precondition: precondition(req), ...originOf(req) };
  }
}

/** A dry run enables the signature by default. Settings that disable it are refused later. */
function signedPatch(patch: ReturnType<JsonObject['get']>): JsonObject {
  const members = patch instanceof JsonObject ? patch.members : new Map<string, never>();
  return new JsonObject(new Map([['enabled', true], ...members]));
}

const reportView = ({ counts, lastAt, reasons, ofLast, differing }: DryRunReport): object =>
  present({
    counts,
    last_at: timeText(lastAt),
    reasons: reasons.map(({ errorCode, cause, count }) => present({ error_code: errorCode, cause, count })),
    of_last: ofLast,
    differing: differing.map(callView),
  });

const callView = ({ verdict, errorCode, cause, requestId, path, at }: DryRunCall): object =>
  present({ verdict, error_code: errorCode, cause, request_id: requestId, path, at: timeText(at) });

import type { Request, Response } from 'express';
import { defaultGraceS } from '../../../../../domain/credentials/rotation';
import { dryRunReport, type DryRunReport } from '../../../../../domain/credentials/dry-run/dry-run-report';
import { type DryRunReader, dryRunRules, type DryRunCall } from '../../../../../domain/credentials/dry-run/signature-dry-run';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import type { PartnerRepository } from '../../../../../domain/partners/ports';
import { UnknownPartner, UnknownDryRun } from '../../../../../domain/partners/registry-errors';
import { JsonObject } from '../../../../../domain/shared/json';
import type { DraftReader } from '../partners/draft-reader';
import { bodyOf, readInput } from '../http/json-body';
import { type PartnerMapper, dryRunView, timeText } from '../partners/partner-mapper';
import type { PartnerUseCases } from '../partners/partner-use-cases';
import { entityTag } from '../http/precondition';
import { present } from '../http/present';
import { type Mount, serve } from '../http/serve';
import { kinds, ownPartnerId, partnerToChange } from '../partners/partner-kinds';
import { dryRunCalls } from './credential-calls';
import { PromoteDryRunDto, DryRunDto } from './dry-run.dto';

export interface DryRunRoutesDeps<P extends Partner> {
  readonly mapper: PartnerMapper<P>;
  readonly partners: PartnerRepository<P, P['settings']>;
  readonly dryRuns: DryRunReader;
  readonly drafts: DraftReader<P>;
  readonly useCases: Pick<PartnerUseCases<P>, 'setDryRun' | 'promoteDryRun' | 'endDryRun'>;
}

/** Serves signature settings that are tried on every call beside the stored ones, and the results. */
export const dryRunRoutes = <P extends Partner>(mount: Mount, deps: DryRunRoutesDeps<P>): void => {
  serve(mount, dryRunCalls(kinds[deps.mapper.kind]), new DryRunController(deps));
};

class DryRunController<P extends Partner> {
  constructor(private readonly deps: DryRunRoutesDeps<P>) {}

  readonly show = async (req: Request, res: Response, { last }: { readonly last?: number }): Promise<void> => {
    const { kind } = this.deps.mapper;
    const partner = await this.deps.partners.find(ownPartnerId(req, kind));
    if (!partner) throw new UnknownPartner(kind);
    await this.answer(res, partner, last);
  };

  readonly set = async (req: Request, res: Response): Promise<void> => {
    const { mode, valid_for_s: validForS, signature } = await readInput(req, DryRunDto);
    const edit =
      signature &&
      this.deps.drafts.edit(this.deps.drafts.tidy(JsonObject.of({ signature: signedPatch((await bodyOf(req)).get('signature')) })));
    await this.answer(
      res,
      await this.deps.useCases.setDryRun.execute({ ...partnerToChange(req, this.deps.mapper.kind), mode, validForS, edit }),
    );
  };

  readonly promote = async (req: Request, res: Response): Promise<void> => {
    const { previous_valid_for_s: previousValidForS = defaultGraceS } = await readInput(req, PromoteDryRunDto);
    const partner = await this.deps.useCases.promoteDryRun.execute({ ...partnerToChange(req, this.deps.mapper.kind), previousValidForS });
    res.set('ETag', entityTag(partner.version)).json(this.deps.mapper.view(partner));
  };

  readonly end = async (req: Request, res: Response): Promise<void> => {
    await this.deps.useCases.endDryRun.execute(partnerToChange(req, this.deps.mapper.kind));
    res.status(204).end();
  };

  private async answer(res: Response, partner: P, last: number = dryRunRules.callsKept): Promise<void> {
    const { signatureDryRun: dryRun } = partner.settings;
    if (!dryRun) throw new UnknownDryRun();
    const report = await dryRunReport(this.deps.dryRuns, { partner, dryRunId: dryRun.id }, last);
    res.set('ETag', entityTag(partner.version)).json({ ...dryRunView(partner, dryRun), report: reportView(report) });
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

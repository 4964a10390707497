import { type Bind, ContainerModule } from 'inversify';
import { printEvidence } from '../../adapters/in/http/evidence/evidence-document';
import { integrationView } from '../../adapters/in/http/manage/integrations/integration.dto';
import { hostAppMapper } from '../../adapters/in/http/manage/partners/host-app-mapper';
import { miniappMapper } from '../../adapters/in/http/manage/partners/miniapp-mapper';
import type { PartnerMapper } from '../../adapters/in/http/manage/partners/partner-mapper';
import { removedView } from '../../adapters/in/http/manage/users/users-routes';
import { CredentialIntake } from '../../domain/credentials/given-credentials';
import { Possession } from '../../domain/credentials/possession';
import { PreviewSignature } from '../../domain/credentials/signing/preview-signature';
import { AbortDelivery } from '../../domain/deliveries/abort-delivery';
import { PauseEndpointQueue, ResumeEndpointQueue } from '../../domain/deliveries/pause-endpoint-queue';
import { ReleaseEndpointQueue } from '../../domain/deliveries/release-endpoint-queue';
import { CancelResend, StartResend } from '../../domain/deliveries/resend-deliveries';
import { ResendDelivery } from '../../domain/deliveries/resend-delivery';
import { RevokeEvidence } from '../../domain/evidence/open-evidence';
import { ShareEvidence } from '../../domain/evidence/share-evidence';
import { ComparePairs } from '../../domain/figures/compare-pairs';
import { CountExchanges } from '../../domain/figures/count-exchanges';
import { ChangePartnerSettings } from '../../domain/partners/change-partner-settings';
import { EndDryRun, PromoteDryRun } from '../../domain/partners/credentials/end-dry-run';
import { PromoteCredential } from '../../domain/partners/credentials/promote-credential';
import { ProvePossession } from '../../domain/partners/credentials/prove-possession';
import { RevokeCredential } from '../../domain/partners/credentials/revoke-credential';
import { RotateCredential } from '../../domain/partners/credentials/rotate-credential';
import { SetDryRun } from '../../domain/partners/credentials/set-dry-run';
import { DecideProposal, WithdrawProposal } from '../../domain/partners/integrations/decide-proposal';
import { ChangeIntegration, EndIntegration, IntegratePartners } from '../../domain/partners/integrations/integrate-partners';
import { ProposeIntegration } from '../../domain/partners/integrations/propose-integration';
import type { Partner } from '../../domain/partners/partner-draft';
import type { PartnerRepository } from '../../domain/partners/ports';
import { RegisterPartner } from '../../domain/partners/register-partner';
import { RemovePartner } from '../../domain/partners/remove-partner';
import { ResolveConflict } from '../../domain/payments/resolve-conflict';
import { FindProblems } from '../../domain/problems/find-problems';
import { MuteProblem } from '../../domain/problems/mute-problem';
import { AssessReadiness } from '../../domain/readiness/assess-readiness';
import { GoLive } from '../../domain/readiness/go-live';
import { FindById } from '../../domain/search/find-by-id';
import { EraseUser } from '../../domain/sso/erase-user';
import { ExportUser, RevokeUserTokens } from '../../domain/sso/user-actions';
import { ReadTimeline } from '../../domain/timeline/read-timeline';
import { AdvanceTime } from '../../domain/timeshift/advance-time';
import { provide, type Token } from '../tokens/token';
import { T } from '../tokens/tokens';
import { hostAppUseCaseTokens, manageUseCaseTokens, miniappUseCaseTokens, type PartnerUseCaseTokens } from '../tokens/use-case-tokens';

/** The use cases of the manage API, each with its ports. */
export const manageUseCases = new ContainerModule(({ bind }) => {
  const making = { digest: T.digest, keys: T.publicKeyReader, keyPairGenerator: T.keyPairGenerator, clock: T.clock };
  provide(bind, T.credentialIntake, making, (deps) => new CredentialIntake(deps));
  const signing = { providers: T.signingProviders, signatureText: T.signatureText };
  provide(bind, T.possession, { ...signing, box: T.secretCipher, keys: T.publicKeyReader }, (deps) => new Possession(deps));
  provide(
    bind,
    T.previewSignature,
    { ...signing, secrets: T.secretGenerator, samples: T.sampleGenerator, settings: T.settings },
    ({ settings: { publicBaseUrl }, ...deps }) => new PreviewSignature({ ...deps, publicBaseUrl }),
  );
  bindPartnerUseCases(bind, hostAppUseCaseTokens, { partners: T.hostApps, mapper: hostAppMapper });
  bindPartnerUseCases(bind, miniappUseCaseTokens, { partners: T.miniapps, mapper: miniappMapper });
  bindIntegrationUseCases(bind);
  bindDeliveryUseCases(bind);
  bindRecordUseCases(bind);
  bindUserUseCases(bind);
  provide(bind, T.hostAppUseCases, hostAppUseCaseTokens, (all) => all);
  provide(bind, T.miniappUseCases, miniappUseCaseTokens, (all) => all);
  provide(bind, T.manageUseCases, manageUseCaseTokens, (all) => all);
});

interface PartnerKindParts<P extends Partner> {
  readonly partners: Token<PartnerRepository<P, P['settings']>>;
  readonly mapper: PartnerMapper<P>;
}

function bindPartnerUseCases<P extends Partner>(
  bind: Bind,
  keys: PartnerUseCaseTokens<P>,
  { partners, mapper }: PartnerKindParts<P>,
): void {
  const about = { kind: mapper.kind, describe: mapper.view };
  const needs = { partners, intake: T.credentialIntake, keys: T.publicKeyReader, secrets: T.secretGenerator, clock: T.clock };
  provide(bind, keys.register, needs, (deps) => new RegisterPartner<P>({ ...deps, ...about }));
  provide(bind, keys.change, needs, (deps) => new ChangePartnerSettings<P>({ ...deps, ...about }));
  provide(bind, keys.remove, needs, (deps) => new RemovePartner<P>({ ...deps, ...about }));
  const proving = { ...needs, possession: T.possession };
  provide(bind, keys.rotate, proving, (deps) => new RotateCredential<P>({ ...deps, ...about }));
  provide(bind, keys.promote, needs, (deps) => new PromoteCredential<P>({ ...deps, ...about }));
  provide(bind, keys.revoke, needs, (deps) => new RevokeCredential<P>({ ...deps, ...about }));
  const signing = { ...proving, providers: T.signingProviders, signatureText: T.signatureText };
  provide(bind, keys.prove, signing, (deps) => new ProvePossession<P>({ ...deps, ...about }));
  const staging = { ...needs, ids: T.ids };
  provide(bind, keys.setDryRun, staging, (deps) => new SetDryRun<P>({ ...deps, ...about }));
  provide(bind, keys.promoteDryRun, staging, (deps) => new PromoteDryRun<P>({ ...deps, ...about }));
  provide(bind, keys.endDryRun, staging, (deps) => new EndDryRun<P>({ ...deps, ...about }));
}

function bindIntegrationUseCases(bind: Bind): void {
  const describe = integrationView;
  const parties = { hostApps: T.hostApps, miniapps: T.miniapps };
  const needs = { ...parties, integrations: T.integrations, clock: T.clock, ids: T.ids };
  provide(bind, T.integratePartners, needs, (deps) => new IntegratePartners({ ...deps, describe }));
  provide(bind, T.changeIntegration, needs, (deps) => new ChangeIntegration({ ...deps, describe }));
  provide(bind, T.endIntegration, needs, (deps) => new EndIntegration({ ...deps, describe }));
  provide(bind, T.proposeIntegration, { ...needs, limiter: T.limiter }, (deps) => new ProposeIntegration({ ...deps, describe }));
  provide(bind, T.decideProposal, needs, (deps) => new DecideProposal({ ...deps, describe }));
  provide(bind, T.withdrawProposal, needs, (deps) => new WithdrawProposal({ ...deps, describe }));
  provide(
    bind,
    T.assessReadiness,
    {
      ...{ ...parties, integrations: T.integrations, figures: T.figures, proofs: T.proofs },
      ...{ probes: T.probes, probe: T.probe, live: T.live, clock: T.clock },
    },
    (deps) => new AssessReadiness(deps),
  );
  provide(bind, T.goLive, { assess: T.assessReadiness, live: T.live, clock: T.clock }, (deps) => new GoLive(deps));
}

function bindDeliveryUseCases(bind: Bind): void {
  const waking = { notifier: T.deliveryNotifier, clock: T.clock };
  const deliveries = { ...waking, repository: T.deliveryRepository };
  provide(bind, T.resendDelivery, deliveries, (deps) => new ResendDelivery(deps));
  provide(bind, T.abortDelivery, deliveries, (deps) => new AbortDelivery(deps));
  const resends = { ...waking, repository: T.resendRepository, ids: T.ids };
  provide(bind, T.startResend, resends, (deps) => new StartResend(deps));
  provide(bind, T.cancelResend, resends, (deps) => new CancelResend(deps));
  const queues = { ...waking, repository: T.endpointQueueRepository };
  provide(bind, T.releaseEndpointQueue, queues, (deps) => new ReleaseEndpointQueue(deps));
  provide(bind, T.pauseEndpointQueue, queues, (deps) => new PauseEndpointQueue(deps));
  provide(bind, T.resumeEndpointQueue, queues, (deps) => new ResumeEndpointQueue(deps));
  const payments = { repository: T.paymentRecordRepository, clock: T.clock };
  provide(bind, T.resolveConflict, payments, (deps) => new ResolveConflict(deps));
  provide(
    bind,
    T.advanceTime,
    { ...waking, timeShift: T.timeShift },
    ({ timeShift, ...deps }) => timeShift && new AdvanceTime({ ...deps, timeShift }),
  );
}

function bindRecordUseCases(bind: Bind): void {
  const records = { exchanges: T.exchangeReader, payments: T.paymentRecordRepository, deliveries: T.deliveryRepository };
  provide(bind, T.readTimeline, { ...records, clock: T.clock }, (deps) => new ReadTimeline(deps));
  const named = { hostApps: T.hostApps, miniapps: T.miniapps, users: T.userRecordRepository };
  provide(bind, T.findById, { ...records, ...named }, (deps) => new FindById(deps));
  provide(
    bind,
    T.shareEvidence,
    {
      ...{ links: T.evidenceLinks, signer: T.evidenceSigner, refused: T.refusedRequests, explain: T.explainSignature },
      ...{ secrets: T.secretGenerator, clock: T.clock, ids: T.ids, settings: T.settings },
    },
    ({ settings: { publicBaseUrl }, ...deps }) => new ShareEvidence({ ...deps, publicBaseUrl, print: printEvidence }),
  );
  provide(bind, T.revokeEvidence, { links: T.evidenceLinks, clock: T.clock }, (deps) => new RevokeEvidence(deps));
  provide(bind, T.countExchanges, { figures: T.figures }, ({ figures }) => new CountExchanges(figures));
  provide(bind, T.comparePairs, { figures: T.figures }, ({ figures }) => new ComparePairs(figures));
  provide(bind, T.findProblems, { figures: T.figures, exchanges: T.exchangeReader, mutes: T.mutes }, (deps) => new FindProblems(deps));
  provide(bind, T.muteProblem, { mutes: T.mutes, clock: T.clock }, (deps) => new MuteProblem(deps));
}

function bindUserUseCases(bind: Bind): void {
  const users = { repository: T.userRecordRepository, clock: T.clock };
  provide(bind, T.eraseUser, { erasure: T.userErasure, clock: T.clock }, (deps) => new EraseUser({ ...deps, describe: removedView }));
  provide(bind, T.exportUser, users, (deps) => new ExportUser(deps));
  provide(bind, T.revokeUserTokens, users, (deps) => new RevokeUserTokens(deps));
}

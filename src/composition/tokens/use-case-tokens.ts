import type { ManageAccounts } from '../../domain/accounts/manage-accounts';
import type { SignIn } from '../../domain/accounts/sign-in';
import type { UseSession } from '../../domain/accounts/use-session';
import type { RecordTransactions } from '../../domain/analytics/record-transactions';
import type { StartConformance } from '../../domain/conformance/start-conformance';
import type { AdmitCall } from '../../domain/credentials/admit-call';
import type { ExplainSignature } from '../../domain/credentials/explain/explain-signature';
import type { KeepRefusedRequest } from '../../domain/credentials/explain/keep-refused-request';
import type { PreviewSignature } from '../../domain/credentials/signing/preview-signature';
import type { SignRequest } from '../../domain/credentials/signing/sign-request';
import type { AbortDelivery } from '../../domain/deliveries/abort-delivery';
import type { DeliverDue } from '../../domain/deliveries/deliver-due';
import type { DraftDelivery } from '../../domain/deliveries/draft-delivery';
import type { PauseEndpointQueue, ResumeEndpointQueue } from '../../domain/deliveries/pause-endpoint-queue';
import type { ReleaseEndpointQueue } from '../../domain/deliveries/release-endpoint-queue';
import type { CancelResend, StartResend, StepResends } from '../../domain/deliveries/resend-deliveries';
import type { ResendDelivery } from '../../domain/deliveries/resend-delivery';
import type { WakeParked } from '../../domain/deliveries/wake-parked';
import type { RelayEvent } from '../../domain/events/relay-event';
import type { OpenEvidence, RevokeEvidence } from '../../domain/evidence/open-evidence';
import type { ShareEvidence } from '../../domain/evidence/share-evidence';
import type { ComparePairs } from '../../domain/figures/compare-pairs';
import type { CountExchanges } from '../../domain/figures/count-exchanges';
import type { ShareCircuits } from '../../domain/isolation/share-circuits';
import type { AnnounceInstance } from '../../domain/operations/announce-instance';
import type { DrainInstance } from '../../domain/operations/drain-instance';
import type { RewrapKeys } from '../../domain/operations/rewrap-keys';
import type { ChangePartnerSettings } from '../../domain/partners/change-partner-settings';
import type { EndDryRun, PromoteDryRun } from '../../domain/partners/credentials/end-dry-run';
import type { PromoteCredential } from '../../domain/partners/credentials/promote-credential';
import type { ProvePossession } from '../../domain/partners/credentials/prove-possession';
import type { RevokeCredential } from '../../domain/partners/credentials/revoke-credential';
import type { RotateCredential } from '../../domain/partners/credentials/rotate-credential';
import type { SetDryRun } from '../../domain/partners/credentials/set-dry-run';
import type { HostApp } from '../../domain/partners/host-app';
import type { DecideProposal, WithdrawProposal } from '../../domain/partners/integrations/decide-proposal';
import type { ChangeIntegration, EndIntegration, IntegratePartners } from '../../domain/partners/integrations/integrate-partners';
import type { ProposeIntegration } from '../../domain/partners/integrations/propose-integration';
import type { Miniapp } from '../../domain/partners/miniapp';
import type { Partner } from '../../domain/partners/partner-draft';
import type { RegisterPartner } from '../../domain/partners/register-partner';
import type { RemovePartner } from '../../domain/partners/remove-partner';
import type { CompleteOrder } from '../../domain/payments/complete-order';
import type { CreateOrderPayment } from '../../domain/payments/create-order-payment';
import type { GetPaymentStatus } from '../../domain/payments/get-payment-status';
import type { PollPaymentNow } from '../../domain/payments/poll-payment-now';
import type { ReconcilePayments } from '../../domain/payments/reconcile-payments';
import type { ResolveConflict } from '../../domain/payments/resolve-conflict';
import type { FindProblems } from '../../domain/problems/find-problems';
import type { MuteProblem } from '../../domain/problems/mute-problem';
import type { AssessReadiness } from '../../domain/readiness/assess-readiness';
import type { GoLive } from '../../domain/readiness/go-live';
import type { FindById } from '../../domain/search/find-by-id';
import type { AuthorizeUser } from '../../domain/sso/authorize-user';
import type { CallAsStoredUser } from '../../domain/sso/call-as-stored-user';
import type { ChangeConsent, ReadConsent } from '../../domain/sso/change-consent';
import type { ConnectUser } from '../../domain/sso/connect-user';
import type { EraseUser } from '../../domain/sso/erase-user';
import type { LoginWithPayload } from '../../domain/sso/login-with-payload';
import type { ExportUser, RevokeUserTokens } from '../../domain/sso/user-actions';
import type { ReadTimeline } from '../../domain/timeline/read-timeline';
import type { AdvanceTime } from '../../domain/timeshift/advance-time';
import { token } from './token';

// The container keys of every use case of the service, grouped by their callers.

/** Use cases that partners call. */
const apiUseCases = {
  admitCall: token<AdmitCall>('admitCall'),
  keepRefused: token<KeepRefusedRequest>('keepRefused'),
  connectUser: token<ConnectUser>('connectUser'),
  authorizeUser: token<AuthorizeUser>('authorizeUser'),
  loginWithPayload: token<LoginWithPayload>('loginWithPayload'),
  readConsent: token<ReadConsent>('readConsent'),
  changeConsent: token<ChangeConsent>('changeConsent'),
  createOrderPayment: token<CreateOrderPayment>('createOrderPayment'),
  getPaymentStatus: token<GetPaymentStatus>('getPaymentStatus'),
  completeOrder: token<CompleteOrder>('completeOrder'),
  relayEvent: token<RelayEvent>('relayEvent'),
  recordTransactions: token<RecordTransactions>('recordTransactions'),
  openEvidence: token<OpenEvidence>('openEvidence'),
} as const;

/** Use cases that workers call, and those that call partners for other use cases. */
const backgroundUseCases = {
  signRequest: token<SignRequest>('signRequest'),
  callAsStoredUser: token<CallAsStoredUser>('callAsStoredUser'),
  shareCircuits: token<ShareCircuits>('shareCircuits'),
  deliverDue: token<DeliverDue>('deliverDue'),
  stepResends: token<StepResends>('stepResends'),
  wakeParked: token<WakeParked>('wakeParked'),
  reconcilePayments: token<ReconcilePayments>('reconcilePayments'),
  announceInstance: token<AnnounceInstance>('announceInstance'),
} as const;

/** Use cases that operators and accounts of partners call. */
export const manageUseCaseTokens = {
  integratePartners: token<IntegratePartners>('integratePartners'),
  changeIntegration: token<ChangeIntegration>('changeIntegration'),
  endIntegration: token<EndIntegration>('endIntegration'),
  proposeIntegration: token<ProposeIntegration>('proposeIntegration'),
  decideProposal: token<DecideProposal>('decideProposal'),
  withdrawProposal: token<WithdrawProposal>('withdrawProposal'),
  assessReadiness: token<AssessReadiness>('assessReadiness'),
  goLive: token<GoLive>('goLive'),
  previewSignature: token<PreviewSignature>('previewSignature'),
  resendDelivery: token<ResendDelivery>('resendDelivery'),
  abortDelivery: token<AbortDelivery>('abortDelivery'),
  startResend: token<StartResend>('startResend'),
  cancelResend: token<CancelResend>('cancelResend'),
  releaseEndpointQueue: token<ReleaseEndpointQueue>('releaseEndpointQueue'),
  pauseEndpointQueue: token<PauseEndpointQueue>('pauseEndpointQueue'),
  resumeEndpointQueue: token<ResumeEndpointQueue>('resumeEndpointQueue'),
  resolveConflict: token<ResolveConflict>('resolveConflict'),
  readTimeline: token<ReadTimeline>('readTimeline'),
  findById: token<FindById>('findById'),
  shareEvidence: token<ShareEvidence>('shareEvidence'),
  revokeEvidence: token<RevokeEvidence>('revokeEvidence'),
  countExchanges: token<CountExchanges>('countExchanges'),
  comparePairs: token<ComparePairs>('comparePairs'),
  findProblems: token<FindProblems>('findProblems'),
  muteProblem: token<MuteProblem>('muteProblem'),
  eraseUser: token<EraseUser>('eraseUser'),
  exportUser: token<ExportUser>('exportUser'),
  revokeUserTokens: token<RevokeUserTokens>('revokeUserTokens'),
  /** `undefined` outside of development. */
  advanceTime: token<AdvanceTime | undefined>('advanceTime'),
} as const;

/** Use cases of the manage API that other use cases and commands share. */
const sharedManageUseCases = {
  explainSignature: token<ExplainSignature>('explainSignature'),
  draftDelivery: token<DraftDelivery>('draftDelivery'),
  pollPaymentNow: token<PollPaymentNow>('pollPaymentNow'),
  signIn: token<SignIn>('signIn'),
  useSession: token<UseSession>('useSession'),
  manageAccounts: token<ManageAccounts>('manageAccounts'),
  drainInstance: token<DrainInstance>('drainInstance'),
  rewrapKeys: token<RewrapKeys>('rewrapKeys'),
  startConformance: token<StartConformance>('startConformance'),
} as const;

/** Use cases of the manage API for one kind of partner. */
const partnerUseCases = <P extends Partner>(kind: P['kind']) => ({
  register: token<RegisterPartner<P>>(`${kind}.register`),
  change: token<ChangePartnerSettings<P>>(`${kind}.change`),
  remove: token<RemovePartner<P>>(`${kind}.remove`),
  rotate: token<RotateCredential<P>>(`${kind}.rotate`),
  promote: token<PromoteCredential<P>>(`${kind}.promote`),
  revoke: token<RevokeCredential<P>>(`${kind}.revoke`),
  prove: token<ProvePossession<P>>(`${kind}.prove`),
  setDryRun: token<SetDryRun<P>>(`${kind}.setDryRun`),
  promoteDryRun: token<PromoteDryRun<P>>(`${kind}.promoteDryRun`),
  endDryRun: token<EndDryRun<P>>(`${kind}.endDryRun`),
});
export type PartnerUseCaseTokens<P extends Partner> = ReturnType<typeof partnerUseCases<P>>;
export const hostAppUseCaseTokens = partnerUseCases<HostApp>('host-app');
export const miniappUseCaseTokens = partnerUseCases<Miniapp>('miniapp');

/** The use cases with a key of their own; those of partners are in `hostAppUseCaseTokens` and `miniappUseCaseTokens`. */
export const useCaseTokens = { ...apiUseCases, ...backgroundUseCases, ...manageUseCaseTokens, ...sharedManageUseCases } as const;

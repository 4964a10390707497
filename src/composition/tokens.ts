import type { BodiesUnderWay } from '../adapters/in/http/bodies-under-way';
import type { Express, RequestHandler } from 'express';
import type { DataSource } from 'typeorm';
import type { AnalyticsController } from '../adapters/in/http/api/analytics.controller';
import type { ConsentController } from '../adapters/in/http/api/consent.controller';
import type { EventsController } from '../adapters/in/http/api/events.controller';
import type { OrdersController } from '../adapters/in/http/api/orders.controller';
import type { PartnerLoginController } from '../adapters/in/http/api/partner-login.controller';
import type { SignOnController } from '../adapters/in/http/api/sign-on.controller';
import type { Overload } from '../adapters/in/http/overload';
import type { ApiTools } from '../adapters/in/http/api/api-route';
import type { LiveBoard } from '../adapters/in/http/manage/live-board';
import type { Readiness } from '../adapters/in/http/health';
import type { DeliveryWorker } from '../adapters/in/worker/delivery-worker';
import type { InProcessBell } from '../adapters/in/worker/in-process-bell';
import type { ReconciliationWorker } from '../adapters/in/worker/reconciliation-worker';
import type { PartnerHttp } from '../adapters/out/partner-http/create-partner-http';
import type { OutboundGuard } from '../adapters/out/partner-http/outbound-guard';
import type { PartnerFeed } from '../adapters/out/postgres/change-feed';
import type { CachedPartnerDirectory } from '../adapters/out/postgres/partners/cached-partner-directory';
import type { PostgresCallerBook } from '../adapters/out/postgres/postgres-caller-book';
import type { PostgresCredentialUses } from '../adapters/out/postgres/postgres-credential-uses';
import type { PostgresFlightBoard } from '../adapters/out/postgres/postgres-flight-board';
import type { PostgresIdempotencyLedger } from '../adapters/out/postgres/postgres-idempotency-ledger';
import type { PostgresNonceLedger } from '../adapters/out/postgres/postgres-nonce-ledger';
import type { PostgresRefreshBook } from '../adapters/out/postgres/postgres-refresh-book';
import type { PostgresShadowBook } from '../adapters/out/postgres/postgres-shadow-book';
import type { PostgresRefusedRequests } from '../adapters/out/postgres/postgres-refused-requests';
import type { PostgresRateLimiter } from '../adapters/out/postgres/postgres-rate-limiter';
import type { ReferenceIndex } from '../adapters/out/postgres/reference-index';
import type { Settings } from '../config/settings';
import type { TransactionLedger, TransactionReader } from '../domain/analytics/ports';
import type { RecordTransactions } from '../domain/analytics/record-transactions';
import type { AdmitCall } from '../domain/credentials/admit-call';
import type { CheckTools } from '../domain/credentials/credential-policy';
import type {
  AddressBook,
  CredentialUses,
  KeyImport,
  KeyMaker,
  NonceLedger,
  PayloadCipher,
  RateLimiter,
  SecretBox,
  SecretDigest,
  SecretSource,
  SignatureText,
  SigningProviders,
} from '../domain/credentials/ports';
import type { ExplainSignature } from '../domain/credentials/explain/explain-signature';
import type { KeepRefusedRequest } from '../domain/credentials/explain/keep-refused-request';
import type { CaseExplainer } from '../domain/credentials/explain/case-explainer';
import type { RefusedRequests } from '../domain/credentials/explain/ports';
import type { SignRequest } from '../domain/credentials/sign-request';
import type { DeliverDue } from '../domain/deliveries/deliver-due';
import type {
  Chance,
  DeliveryBell,
  DeliveryBook,
  DeliveryGateway,
  DeliveryDispatch,
  DeliveryQueue,
  EventOutbox,
  LaneBook,
  ResendBook,
} from '../domain/deliveries/ports';
import type { OwedVault } from '../domain/deliveries/delivery-drafts';
import type { DraftDelivery } from '../domain/deliveries/draft-delivery';
import type { StepResends } from '../domain/deliveries/resend-deliveries';
import type { WakeParked } from '../domain/deliveries/wake-parked';
import type { RelayEvent } from '../domain/events/relay-event';
import type { ExchangeLog } from '../domain/exchanges/ports';
import type { Tracing } from '../domain/exchanges/tracing';
import type { AuditChain } from '../domain/partners/audit-chain';
import type { AgreementRepository, AuditReader, HostAppRepository, MiniappRepository, PartnerDirectory } from '../domain/partners/ports';
import type { CompleteOrder } from '../domain/payments/complete-order';
import type { CreateOrderPayment } from '../domain/payments/create-order-payment';
import type { GetPaymentStatus } from '../domain/payments/get-payment-status';
import type { HostAppPaymentGateway, OrderPaymentRepository } from '../domain/payments/ports';
import type { PaymentAsks } from '../domain/payments/payment-asks';
import type { DeliveryFigures } from '../domain/deliveries/delivery-figures';
import type { AskPaymentNow } from '../domain/payments/ask-payment-now';
import type { PaymentFigures } from '../domain/payments/payment-figures';
import type { PaymentBook } from '../domain/payments/payment-book';
import type { ReconcilePayments } from '../domain/payments/reconcile-payments';
import type { IdempotencyLedger } from '../domain/shared/idempotency';
import type { Clock, IdSource, Log } from '../domain/shared/ports';
import type { SharedFlights } from '../domain/shared/share-flight';
import type { FlightBoard } from '../domain/shared/single-flight';
import type { AuthorizeUser } from '../domain/sso/authorize-user';
import type { CallAsStoredUser } from '../domain/sso/call-as-stored-user';
import type { ChangeConsent, ReadConsent } from '../domain/sso/change-consent';
import type { ConnectUser } from '../domain/sso/connect-user';
import type { UserBook } from '../domain/sso/user-book';
import type { UserErasure } from '../domain/sso/erase-user';
import type { SignOnFailures } from '../domain/sso/sign-on-failures';
import type { LoginWithPayload } from '../domain/sso/login-with-payload';
import type { TimeShift } from '../domain/timeshift/ports';
import type {
  ConsentLedger,
  HostAppSignOnGateway,
  MiniappLoginGateway,
  MiniappSignOnGateway,
  UserRepository,
  UserTokenStore,
} from '../domain/sso/ports';
import type { Warning } from './audit-warning';
import type { Pruned } from './prune';
import { operationTokens } from './operation-tokens';
import { publicTokens } from './public-tokens';
import { partnerTokens } from './partner-tokens';
import { peopleTokens } from './people-tokens';
import { token } from './token';

/** Every name in the house, with the type that stands behind it. */
export const T = {
  ...partnerTokens,
  ...peopleTokens,
  ...operationTokens,
  ...publicTokens,

  settings: token<Settings>('settings'),
  log: token<Log>('log'),
  clock: token<Clock>('clock'),
  ids: token<IdSource>('ids'),
  db: token<DataSource>('db'),
  readiness: token<Readiness>('readiness'),
  warnings: token<readonly Warning[]>('warnings'),
  /** `undefined`: nothing is traced. */
  tracing: token<Tracing | undefined>('tracing'),
  operatorToken: token<string>('operatorToken'),
  pruned: token<readonly Pruned[]>('pruned'),
  retention: token<Pruned>('retention'),

  secretBox: token<SecretBox>('secretBox'),
  digest: token<SecretDigest>('digest'),
  secretSource: token<SecretSource>('secretSource'),
  addresses: token<AddressBook>('addresses'),
  keyImport: token<KeyImport>('keyImport'),
  keyMaker: token<KeyMaker>('keyMaker'),
  payloadCipher: token<PayloadCipher>('payloadCipher'),
  signingProviders: token<SigningProviders>('signingProviders'),
  signatureText: token<SignatureText>('signatureText'),
  signRequest: token<SignRequest>('signRequest'),
  caseExplainer: token<CaseExplainer>('caseExplainer'),
  postgresRefusals: token<PostgresRefusedRequests>('postgresRefusals'),
  refusedRequests: token<RefusedRequests>('refusedRequests'),
  keepRefused: token<KeepRefusedRequest>('keepRefused'),
  explainSignature: token<ExplainSignature>('explainSignature'),
  limiter: token<RateLimiter>('limiter'),
  callerBook: token<PostgresCallerBook>('callerBook'),
  shadowBook: token<PostgresShadowBook>('shadowBook'),
  refreshBook: token<PostgresRefreshBook>('refreshBook'),
  checkTools: token<CheckTools>('checkTools'),
  credentialUses: token<CredentialUses>('credentialUses'),
  postgresCredentialUses: token<PostgresCredentialUses>('postgresCredentialUses'),

  hostApps: token<HostAppRepository>('hostApps'),
  miniapps: token<MiniappRepository>('miniapps'),
  agreements: token<AgreementRepository>('agreements'),
  directory: token<PartnerDirectory>('directory'),
  cachedDirectory: token<CachedPartnerDirectory>('cachedDirectory'),
  partnerFeed: token<PartnerFeed>('partnerFeed'),
  auditReader: token<AuditReader>('auditReader'),
  auditChain: token<AuditChain>('auditChain'),
  users: token<UserRepository>('users'),
  signOnFailures: token<SignOnFailures>('signOnFailures'),
  userTokens: token<UserTokenStore>('userTokens'),
  userBook: token<UserBook>('userBook'),
  userErasure: token<UserErasure>('userErasure'),
  consents: token<ConsentLedger>('consents'),
  orderPayments: token<OrderPaymentRepository>('orderPayments'),
  chance: token<Chance>('chance'),
  inProcessBell: token<InProcessBell>('inProcessBell'),
  deliveryBell: token<DeliveryBell>('deliveryBell'),
  deliveryDispatch: token<DeliveryDispatch>('deliveryDispatch'),
  postgresQueue: token<DeliveryQueue>('postgresQueue'),
  deliveryQueue: token<DeliveryQueue>('deliveryQueue'),
  eventOutbox: token<EventOutbox>('eventOutbox'),
  /** In development alone. */
  timeShift: token<TimeShift | undefined>('timeShift'),
  owedVault: token<OwedVault>('owedVault'),
  draftDelivery: token<DraftDelivery>('draftDelivery'),
  deliveryBook: token<DeliveryBook>('deliveryBook'),
  paymentBook: token<PaymentBook>('paymentBook'),
  paymentFigures: token<PaymentFigures>('paymentFigures'),
  deliveryFigures: token<DeliveryFigures>('deliveryFigures'),
  askPaymentNow: token<AskPaymentNow>('askPaymentNow'),
  deliveryGateway: token<DeliveryGateway>('deliveryGateway'),
  resendBook: token<ResendBook>('resendBook'),
  laneBook: token<LaneBook>('laneBook'),
  stepResends: token<StepResends>('stepResends'),
  wakeParked: token<WakeParked>('wakeParked'),
  deliverDue: token<DeliverDue>('deliverDue'),
  deliveryWorker: token<DeliveryWorker>('deliveryWorker'),
  transactionLedger: token<TransactionLedger>('transactionLedger'),
  transactionReader: token<TransactionReader>('transactionReader'),
  flightBoard: token<FlightBoard>('flightBoard'),
  postgresFlights: token<PostgresFlightBoard>('postgresFlights'),
  postgresLimiter: token<PostgresRateLimiter>('postgresLimiter'),
  postgresIdempotency: token<PostgresIdempotencyLedger>('postgresIdempotency'),
  postgresNonces: token<PostgresNonceLedger>('postgresNonces'),
  nonceLedger: token<NonceLedger>('nonceLedger'),
  idempotency: token<IdempotencyLedger>('idempotency'),
  referenceIndex: token<ReferenceIndex>('referenceIndex'),
  flights: token<SharedFlights>('flights'),
  exchangeLog: token<ExchangeLog>('exchangeLog'),
  liveBoard: token<LiveBoard>('liveBoard'),

  outboundGuard: token<OutboundGuard>('outboundGuard'),
  partnerHttp: token<PartnerHttp>('partnerHttp'),
  hostAppSignOn: token<HostAppSignOnGateway>('hostAppSignOn'),
  miniappSignOn: token<MiniappSignOnGateway>('miniappSignOn'),
  miniappLogin: token<MiniappLoginGateway>('miniappLogin'),
  hostAppPayments: token<HostAppPaymentGateway>('hostAppPayments'),

  admitCall: token<AdmitCall>('admitCall'),
  connectUser: token<ConnectUser>('connectUser'),
  authorizeUser: token<AuthorizeUser>('authorizeUser'),
  loginWithPayload: token<LoginWithPayload>('loginWithPayload'),
  relayEvent: token<RelayEvent>('relayEvent'),
  readConsent: token<ReadConsent>('readConsent'),
  changeConsent: token<ChangeConsent>('changeConsent'),
  recordTransactions: token<RecordTransactions>('recordTransactions'),
  callAsStoredUser: token<CallAsStoredUser>('callAsStoredUser'),
  createOrderPayment: token<CreateOrderPayment>('createOrderPayment'),
  getPaymentStatus: token<GetPaymentStatus>('getPaymentStatus'),
  completeOrder: token<CompleteOrder>('completeOrder'),
  askTimesMs: token<readonly number[]>('askTimesMs'),
  paymentAsks: token<PaymentAsks>('paymentAsks'),
  reconcilePayments: token<ReconcilePayments>('reconcilePayments'),
  reconciliationWorker: token<ReconciliationWorker>('reconciliationWorker'),

  signOnController: token<SignOnController>('signOnController'),
  consentController: token<ConsentController>('consentController'),
  partnerLoginController: token<PartnerLoginController>('partnerLoginController'),
  eventsController: token<EventsController>('eventsController'),
  ordersController: token<OrdersController>('ordersController'),
  analyticsController: token<AnalyticsController>('analyticsController'),
  apiTools: token<ApiTools>('apiTools'),
  manage: token<RequestHandler>('manage'),
  evidence: token<RequestHandler>('evidence'),
  overload: token<Overload>('overload'),
  bodies: token<BodiesUnderWay>('bodies'),
  app: token<Express>('app'),
} as const;

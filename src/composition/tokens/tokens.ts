import type { BodyReader } from '../../adapters/in/http/admission/body-reader';
import type { Express, RequestHandler } from 'express';
import type { DataSource } from 'typeorm';
import type { AnalyticsController } from '../../adapters/in/http/api/analytics.controller';
import type { ConsentController } from '../../adapters/in/http/api/consent.controller';
import type { EventsController } from '../../adapters/in/http/api/events.controller';
import type { OrdersController } from '../../adapters/in/http/api/orders.controller';
import type { PartnerLoginController } from '../../adapters/in/http/api/partner-login.controller';
import type { SignOnController } from '../../adapters/in/http/api/sign-on.controller';
import type { Overload } from '../../adapters/in/http/admission/overload';
import type { ApiTools } from '../../adapters/in/http/api/api-route';
import type { EventStreamHub } from '../../adapters/in/http/manage/operations/event-stream-hub';
import type { Readiness } from '../../adapters/in/http/health';
import type { DeliveryWorker } from '../../adapters/in/worker/delivery-worker';
import type { InProcessDeliveryNotifier } from '../../adapters/in/worker/in-process-delivery-notifier';
import type { ReconciliationWorker } from '../../adapters/in/worker/reconciliation-worker';
import type { PartnerHttp } from '../../adapters/out/partner-http/create-partner-http';
import type { OutboundGuard } from '../../adapters/out/partner-http/outbound-guard';
import type { PartnerFeed } from '../../adapters/out/postgres/changes/change-feed';
import type { CachedPartnerDirectory } from '../../adapters/out/postgres/partners/cached-partner-directory';
import type { PostgresCallerRepository } from '../../adapters/out/postgres/credentials/postgres-caller-repository';
import type { PostgresCredentialUseLog } from '../../adapters/out/postgres/credentials/postgres-credential-use-log';
import type { PostgresSharedTaskStore } from '../../adapters/out/postgres/sso/postgres-shared-task-store';
import type { PostgresIdempotencyStore } from '../../adapters/out/postgres/payments/postgres-idempotency-store';
import type { PostgresNonceRepository } from '../../adapters/out/postgres/credentials/postgres-nonce-repository';
import type { PostgresRefreshRepository } from '../../adapters/out/postgres/figures/postgres-refresh-repository';
import type { PostgresDryRunRepository } from '../../adapters/out/postgres/credentials/postgres-dry-run-repository';
import type { PostgresRefusedRequestRepository } from '../../adapters/out/postgres/credentials/postgres-refused-request-repository';
import type { PostgresRateLimiter } from '../../adapters/out/postgres/credentials/postgres-rate-limiter';
import type { ReferenceIndex } from '../../adapters/out/postgres/sealing/reference-index';
import type { Settings } from '../../config/settings';
import type { TransactionRepository, TransactionReader } from '../../domain/analytics/ports';
import type { CheckTools } from '../../domain/credentials/credential-policy';
import type { CredentialIntake } from '../../domain/credentials/given-credentials';
import type {
  IpAddressMatcher,
  CredentialUseLog,
  PublicKeyReader,
  KeyPairGenerator,
  NonceRepository,
  PayloadCipher,
  RateLimiter,
  SecretCipher,
  SecretDigestProvider,
  SecretGenerator,
  SampleGenerator,
  SignatureText,
  SigningProviders,
} from '../../domain/credentials/ports';
import type { Possession } from '../../domain/credentials/possession';
import type { CaseExplainer } from '../../domain/credentials/explain/case-explainer';
import type { RefusedRequestRepository } from '../../domain/credentials/explain/ports';
import type {
  RandomGenerator,
  DeliveryRepository,
  DeliveryGateway,
  DeliveryDispatch,
  DeliveryQueue,
  EventOutboxStore,
  EndpointQueueRepository,
  ResendRepository,
  SharedDeliveryNotifier,
} from '../../domain/deliveries/ports';
import type { DeliveryPayloadReader } from '../../domain/deliveries/delivery-drafts';
import type { ExchangeLog } from '../../domain/exchanges/ports';
import type { Tracing } from '../../domain/exchanges/tracing';
import type { AuditChainReader } from '../../domain/partners/audit-chain';
import type {
  IntegrationRepository,
  AuditReader,
  HostAppRepository,
  MiniappRepository,
  PartnerDirectory,
} from '../../domain/partners/ports';
import type { HostAppPaymentGateway, OrderPaymentRepository } from '../../domain/payments/ports';
import type { StatusPollRepository } from '../../domain/payments/status-poll-repository';
import type { DeliveryFigureReader } from '../../domain/deliveries/delivery-figures';
import type { PaymentFigureReader } from '../../domain/payments/payment-figures';
import type { PaymentRecordRepository } from '../../domain/payments/payment-record-repository';
import type { IdempotencyStore } from '../../domain/shared/idempotency';
import type { Clock, IdGenerator, Log } from '../../domain/shared/ports';
import type { SharedTasks } from '../../domain/shared/tasks/share-task';
import type { SharedTaskStore } from '../../domain/shared/tasks/single-flight';
import type { UserRecordRepository } from '../../domain/sso/user-record-repository';
import type { UserErasureRepository } from '../../domain/sso/erase-user';
import type { SignOnFailures } from '../../domain/sso/sign-on-failures';
import type { TimeShiftRepository } from '../../domain/timeshift/ports';
import type {
  ConsentRepository,
  HostAppSignOnGateway,
  MiniappLoginGateway,
  MiniappSignOnGateway,
  UserRepository,
  UserTokenStore,
} from '../../domain/sso/ports';
import type { Warning } from '../tasks/audit-warning';
import type { Pruned } from '../tasks/prune';
import { operationTokens } from './operation-tokens';
import { publicTokens } from './public-tokens';
import { partnerTokens } from './partner-tokens';
import { peopleTokens } from './people-tokens';
import { type Resolved, token } from './token';
import { type hostAppUseCaseTokens, type manageUseCaseTokens, type miniappUseCaseTokens, useCaseTokens } from './use-case-tokens';

/** Every container key, with the type of its value. */
export const T = {
  ...partnerTokens,
  ...peopleTokens,
  ...operationTokens,
  ...publicTokens,
  ...useCaseTokens,

  settings: token<Settings>('settings'),
  log: token<Log>('log'),
  clock: token<Clock>('clock'),
  ids: token<IdGenerator>('ids'),
  db: token<DataSource>('db'),
  readiness: token<Readiness>('readiness'),
  warnings: token<readonly Warning[]>('warnings'),
  /** `undefined`: tracing is off. */
  tracing: token<Tracing | undefined>('tracing'),
  operatorToken: token<string>('operatorToken'),
  pruned: token<readonly Pruned[]>('pruned'),
  retention: token<Pruned>('retention'),

  credentialIntake: token<CredentialIntake>('credentialIntake'),
  possession: token<Possession>('possession'),
  hostAppUseCases: token<Resolved<typeof hostAppUseCaseTokens>>('hostAppUseCases'),
  miniappUseCases: token<Resolved<typeof miniappUseCaseTokens>>('miniappUseCases'),
  manageUseCases: token<Resolved<typeof manageUseCaseTokens>>('manageUseCases'),

  secretCipher: token<SecretCipher>('secretCipher'),
  digest: token<SecretDigestProvider>('digest'),
  secretGenerator: token<SecretGenerator>('secretGenerator'),
  addresses: token<IpAddressMatcher>('addresses'),
  publicKeyReader: token<PublicKeyReader>('publicKeyReader'),
  keyPairGenerator: token<KeyPairGenerator>('keyPairGenerator'),
  payloadCipher: token<PayloadCipher>('payloadCipher'),
  signingProviders: token<SigningProviders>('signingProviders'),
  signatureText: token<SignatureText>('signatureText'),
  sampleGenerator: token<SampleGenerator>('sampleGenerator'),
  caseExplainer: token<CaseExplainer>('caseExplainer'),
  postgresRefusals: token<PostgresRefusedRequestRepository>('postgresRefusals'),
  refusedRequests: token<RefusedRequestRepository>('refusedRequests'),
  limiter: token<RateLimiter>('limiter'),
  callerRepository: token<PostgresCallerRepository>('callerReader'),
  dryRunRepository: token<PostgresDryRunRepository>('dryRunReader'),
  refreshRepository: token<PostgresRefreshRepository>('refreshRepository'),
  checkTools: token<CheckTools>('checkTools'),
  credentialUses: token<CredentialUseLog>('credentialUses'),
  postgresCredentialUses: token<PostgresCredentialUseLog>('postgresCredentialUses'),

  hostApps: token<HostAppRepository>('hostApps'),
  miniapps: token<MiniappRepository>('miniapps'),
  integrations: token<IntegrationRepository>('integrations'),
  directory: token<PartnerDirectory>('directory'),
  cachedDirectory: token<CachedPartnerDirectory>('cachedDirectory'),
  partnerFeed: token<PartnerFeed>('partnerFeed'),
  auditReader: token<AuditReader>('auditReader'),
  auditChain: token<AuditChainReader>('auditChain'),
  users: token<UserRepository>('users'),
  signOnFailures: token<SignOnFailures>('signOnFailures'),
  userTokens: token<UserTokenStore>('userTokens'),
  userRecordRepository: token<UserRecordRepository>('userRecordRepository'),
  userErasure: token<UserErasureRepository>('userErasure'),
  consents: token<ConsentRepository>('consents'),
  orderPayments: token<OrderPaymentRepository>('orderPayments'),
  chance: token<RandomGenerator>('chance'),
  inProcessDeliveryNotifier: token<InProcessDeliveryNotifier>('inProcessDeliveryNotifier'),
  deliveryNotifier: token<SharedDeliveryNotifier>('deliveryNotifier'),
  deliveryDispatch: token<DeliveryDispatch>('deliveryDispatch'),
  postgresQueue: token<DeliveryQueue>('postgresQueue'),
  deliveryQueue: token<DeliveryQueue>('deliveryQueue'),
  eventOutbox: token<EventOutboxStore>('eventOutbox'),
  /** Only in development. */
  timeShift: token<TimeShiftRepository | undefined>('timeShift'),
  deliveryPayloadReader: token<DeliveryPayloadReader>('deliveryPayloadReader'),
  deliveryRepository: token<DeliveryRepository>('deliveryRepository'),
  paymentRecordRepository: token<PaymentRecordRepository>('paymentRecordRepository'),
  paymentFigures: token<PaymentFigureReader>('paymentFigures'),
  deliveryFigures: token<DeliveryFigureReader>('deliveryFigures'),
  deliveryGateway: token<DeliveryGateway>('deliveryGateway'),
  resendRepository: token<ResendRepository>('resendRepository'),
  endpointQueueRepository: token<EndpointQueueRepository>('endpointQueueRepository'),
  deliveryWorker: token<DeliveryWorker>('deliveryWorker'),
  transactionRepository: token<TransactionRepository>('transactionRepository'),
  transactionReader: token<TransactionReader>('transactionReader'),
  sharedTaskStore: token<SharedTaskStore>('sharedTaskStore'),
  postgresSharedTasks: token<PostgresSharedTaskStore>('postgresSharedTasks'),
  postgresLimiter: token<PostgresRateLimiter>('postgresLimiter'),
  postgresIdempotency: token<PostgresIdempotencyStore>('postgresIdempotency'),
  postgresNonces: token<PostgresNonceRepository>('postgresNonces'),
  nonceRepository: token<NonceRepository>('nonceRepository'),
  idempotency: token<IdempotencyStore>('idempotency'),
  referenceIndex: token<ReferenceIndex>('referenceIndex'),
  sharedTasks: token<SharedTasks>('shared-tasks'),
  exchangeLog: token<ExchangeLog>('exchangeLog'),
  eventStreamHub: token<EventStreamHub>('eventStreamHub'),
  outboundGuard: token<OutboundGuard>('outboundGuard'),
  partnerHttp: token<PartnerHttp>('partnerHttp'),
  hostAppSignOn: token<HostAppSignOnGateway>('hostAppSignOn'),
  miniappSignOn: token<MiniappSignOnGateway>('miniappSignOn'),
  miniappLogin: token<MiniappLoginGateway>('miniappLogin'),
  hostAppPayments: token<HostAppPaymentGateway>('hostAppPayments'),
  pollTimesMs: token<readonly number[]>('pollTimesMs'),
  statusPollRepository: token<StatusPollRepository>('statusPollRepository'),
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
  bodies: token<BodyReader>('bodies'),
  app: token<Express>('app'),
} as const;

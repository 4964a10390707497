import type { MigrationInterface } from 'typeorm';
import { Partners1767225600000 } from './1767225600000-partners';
import { SignOn1767225601000 } from './1767225601000-sign-on';
import { Flights1767225602000 } from './1767225602000-flights';
import { Exchanges1767225603000 } from './1767225603000-exchanges';
import { RateLimits1767225604000 } from './1767225604000-rate-limits';
import { Payments1767225605000 } from './1767225605000-payments';
import { TokenRefresh1767225606000 } from './1767225606000-token-refresh';
import { IdempotentCalls1767225607000 } from './1767225607000-idempotent-calls';
import { Deliveries1767225608000 } from './1767225608000-deliveries';
import { Analytics1767225609000 } from './1767225609000-analytics';
import { PartnerChanges1767225610000 } from './1767225610000-partner-changes';
import { UsedNonces1767225611000 } from './1767225611000-used-nonces';
import { RefusedRequests1767225612000 } from './1767225612000-refused-requests';
import { PublicKeys1767225613000 } from './1767225613000-public-keys';
import { DeliveryLanes1767225620000 } from './1767225620000-delivery-lanes';
import { Reconciliation1767225621000 } from './1767225621000-reconciliation';
import { AuditChain1767225622000 } from './1767225622000-audit-chain';
import { RetentionAndErasure1767225623000 } from './1767225623000-retention-and-erasure';
import { ResendBatches1767225624000 } from './1767225624000-resend-batches';
import { Lookups1767225625000 } from './1767225625000-lookups';
import { Accounts1767225626000 } from './1767225626000-accounts';
import { Figures1767225627000 } from './1767225627000-figures';
import { Timelines1767225628000 } from './1767225628000-timelines';
import { ExchangesByWhole1767225628001 } from './1767225628001-exchanges-by-whole';
import { HandsOn1767225629000 } from './1767225629000-hands-on';
import { Callers1767225630000 } from './1767225630000-callers';
import { Operations1767225631000 } from './1767225631000-operations';
import { AuditByActor1767225632001 } from './1767225632001-audit-by-actor';
import { SignatureShadows1767225636000 } from './1767225636000-signature-shadows';
import { TokenRefreshes1767225636001 } from './1767225636001-token-refreshes';
import { Proposals1767225637000 } from './1767225637000-proposals';
import { PaymentFigures1767225640000 } from './1767225640000-payment-figures';
import { PaymentsInProcess1767225640001 } from './1767225640001-payments-in-process';
import { ExchangeFilters1767225640002 } from './1767225640002-exchange-filters';
import { FiguresOfPartners1767225640003 } from './1767225640003-figures-of-partners';
import { FiguresOfHalfDays1767225641000 } from './1767225641000-figures-of-half-days';
import { DeliveriesDueAlone1767225642000 } from './1767225642000-deliveries-due-alone';
import { ExchangesByMoment1767225643000 } from './1767225643000-exchanges-by-moment';
import { PaymentChangesByStatement1767225644000 } from './1767225644000-payment-changes-by-statement';
import { PartnerCircuits1767225650000 } from './1767225650000-partner-circuits';
import { PollPace1767225670000 } from './1767225670000-poll-pace';

/** Every migration, oldest first, by name: no globs, so that source, build and tests run the same list. */
import { ReadinessWrites1767225680000 } from './1767225680000-readiness-writes';
import { MiniappListIds1767225730000 } from './1767225730000-miniapp-list-ids';
import { PaymentCreationsByStatement1767225750000 } from './1767225750000-payment-creations-by-statement';
import { ListIndexes1767225760000 } from './1767225760000-list-indexes';
import { ListOrders1767225780000 } from './1767225780000-list-orders';
import { MoneySums1767225790000 } from './1767225790000-money-sums';
import { AuditOfPartnerByAction1767225791000 } from './1767225791000-audit-of-partner-by-action';

export const migrations: (new () => MigrationInterface)[] = [
  Partners1767225600000,
  SignOn1767225601000,
  Flights1767225602000,
  Exchanges1767225603000,
  RateLimits1767225604000,
  Payments1767225605000,
  TokenRefresh1767225606000,
  IdempotentCalls1767225607000,
  Deliveries1767225608000,
  Analytics1767225609000,
  PartnerChanges1767225610000,
  UsedNonces1767225611000,
  RefusedRequests1767225612000,
  PublicKeys1767225613000,
  DeliveryLanes1767225620000,
  Reconciliation1767225621000,
  AuditChain1767225622000,
  RetentionAndErasure1767225623000,
  ResendBatches1767225624000,
  Lookups1767225625000,
  Accounts1767225626000,
  Figures1767225627000,
  Timelines1767225628000,
  ExchangesByWhole1767225628001,
  HandsOn1767225629000,
  Callers1767225630000,
  Operations1767225631000,
  AuditByActor1767225632001,
  SignatureShadows1767225636000,
  TokenRefreshes1767225636001,
  Proposals1767225637000,
  PaymentFigures1767225640000,
  PaymentsInProcess1767225640001,
  ExchangeFilters1767225640002,
  FiguresOfPartners1767225640003,
  FiguresOfHalfDays1767225641000,
  DeliveriesDueAlone1767225642000,
  ExchangesByMoment1767225643000,
  PaymentChangesByStatement1767225644000,
  PartnerCircuits1767225650000,
  PollPace1767225670000,
  ReadinessWrites1767225680000,
  MiniappListIds1767225730000,
  PaymentCreationsByStatement1767225750000,
  ListIndexes1767225760000,
  ListOrders1767225780000,
  MoneySums1767225790000,
  AuditOfPartnerByAction1767225791000,
];

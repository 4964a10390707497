import type { OperationsSideDeps } from '../../adapters/in/http/manage/operations/operations-side';
import type { Announcer } from '../../adapters/in/worker/announcer';
import type { CallCounts } from '../../adapters/out/telemetry/call-counts';
import type { CountedDeliveryQueue } from '../../adapters/out/telemetry/counted-delivery-queue';
import type { CountedRateLimiter } from '../../adapters/out/telemetry/counted-rate-limiter';
import type { SampleSource } from '../../adapters/out/telemetry/sample';
import type { PostgresExchangeLog } from '../../adapters/out/postgres/exchanges/postgres-exchange-log';
import type { FigureWorker } from '../../adapters/in/worker/figure-worker';
import type { ClockWatch } from '../../adapters/out/postgres/clock/clock-watch';
import type { DatabaseClock } from '../../adapters/out/postgres/clock/database-clock';
import type { DatabaseHealth } from '../../adapters/out/postgres/health/database-health';
import type { NotedSecretCipher } from '../../adapters/out/telemetry/noted-secret-cipher';
import type { PoolGauge } from '../../adapters/out/postgres/connection/pool-gauge';
import type { PostgresInstanceRepository } from '../../adapters/out/postgres/operations/postgres-instance-repository';
import type { ConformanceProgress, ConformanceRequest, PartnerDrive } from '../../domain/conformance/ports';
import type { ExchangeReader } from '../../domain/exchanges/ports';
import type { EndingCredentialReader, MutedProblemRepository } from '../../domain/problems/ports';
import type { EndpointProbeGateway, LiveIntegrationRepository, ProbeRepository, ProofReader } from '../../domain/readiness/ports';
import type { FigureRollupStore, FigureReader } from '../../domain/figures/ports';
import type { LongRuns } from '../../domain/operations/long-runs';
import type { OperationsReader, RunRepository } from '../../domain/operations/ports';
import type { KeyRing, RewrapProgress, RewrapRequest } from '../../domain/operations/rewrap-keys';
import type { SimulatorGateway } from '../../domain/simulation/ports';
import { token } from './token';

/** The container keys of the operators' views and actions. */
export const operationTokens = {
  encryptionKeyIds: token<readonly string[]>('encryptionKeyIds'),
  poolGauge: token<PoolGauge>('poolGauge'),
  databaseClock: token<DatabaseClock>('databaseClock'),
  clockWatch: token<ClockWatch>('clockWatch'),
  databaseHealth: token<DatabaseHealth>('databaseHealth'),
  notedBox: token<NotedSecretCipher>('notedBox'),
  instanceRepository: token<PostgresInstanceRepository>('instanceRepository'),
  operationsReader: token<OperationsReader>('operationsReader'),
  announcer: token<Announcer>('announcer'),
  keyRing: token<KeyRing>('keyRing'),
  rewrapRepository: token<RunRepository<RewrapRequest, RewrapProgress>>('rewrapRepository'),
  rewrapRuns: token<LongRuns<RewrapRequest, RewrapProgress>>('rewrapRuns'),
  partnerDrive: token<PartnerDrive>('partnerDrive'),
  conformanceRepository: token<RunRepository<ConformanceRequest, ConformanceProgress>>('conformanceRepository'),
  conformanceRuns: token<LongRuns<ConformanceRequest, ConformanceProgress>>('conformanceRuns'),
  simulators: token<SimulatorGateway | undefined>('simulators'),
  operationsSideDeps: token<OperationsSideDeps>('operationsSideDeps'),
  exchangeReader: token<ExchangeReader>('exchangeReader'),
  figures: token<FigureReader>('figures'),
  mutes: token<MutedProblemRepository>('mutes'),
  endingCredentials: token<EndingCredentialReader>('endingCredentials'),
  probes: token<ProbeRepository>('probes'),
  probe: token<EndpointProbeGateway>('probe'),
  proofs: token<ProofReader>('proofs'),
  live: token<LiveIntegrationRepository>('live'),
  figureRollupStore: token<FigureRollupStore>('figureRollupStore'),
  figureWorker: token<FigureWorker>('figureWorker'),
  paymentFigureRollupStore: token<FigureRollupStore>('paymentFigureRollupStore'),
  paymentFigureWorker: token<FigureWorker>('paymentFigureWorker'),
  moneyRollupStore: token<FigureRollupStore>('moneyRollupStore'),
  moneyWorker: token<FigureWorker>('moneyWorker'),
  callCounts: token<CallCounts>('callCounts'),
  countedQueue: token<CountedDeliveryQueue>('countedQueue'),
  countedLimiter: token<CountedRateLimiter>('countedLimiter'),
  postgresExchanges: token<PostgresExchangeLog>('postgresExchanges'),
  /** The samples of this process. */
  ownSamples: token<SampleSource>('ownSamples'),
  /** The samples from the database, for the whole service. */
  sharedSamples: token<SampleSource>('sharedSamples'),
} as const;

import type { OperationsDesk } from '../adapters/in/http/manage/operations-side';
import type { Announcer } from '../adapters/in/worker/announcer';
import type { CallCounts } from '../adapters/out/telemetry/call-counts';
import type { CountedDeliveryQueue } from '../adapters/out/telemetry/counted-delivery-queue';
import type { CountedRateLimiter } from '../adapters/out/telemetry/counted-rate-limiter';
import type { SampleSource } from '../adapters/out/telemetry/sample';
import type { PostgresExchangeLog } from '../adapters/out/postgres/postgres-exchange-log';
import type { FigureWorker } from '../adapters/in/worker/figure-worker';
import type { ClockWatch } from '../adapters/out/postgres/clock/clock-watch';
import type { DatabaseClock } from '../adapters/out/postgres/clock/database-clock';
import type { DatabaseHealth } from '../adapters/out/postgres/health/database-health';
import type { NotedSecretBox } from '../adapters/out/telemetry/noted-secret-box';
import type { PoolGauge } from '../adapters/out/postgres/pool-gauge';
import type { PostgresInstanceBoard } from '../adapters/out/postgres/postgres-instance-board';
import type { ConformanceProgress, ConformanceRequest, PartnerDrive } from '../domain/conformance/ports';
import type { ExchangeReader } from '../domain/exchanges/ports';
import type { EndingCredentials, MuteBook } from '../domain/problems/ports';
import type { EndpointProbe, LiveBook, ProbeBook, ProofBook } from '../domain/readiness/ports';
import type { FigureRoll, Figures } from '../domain/figures/ports';
import type { LongRuns } from '../domain/operations/long-runs';
import type { OperationsReader, RunBook } from '../domain/operations/ports';
import type { KeyRing, RewrapProgress, RewrapRequest } from '../domain/operations/rewrap-keys';
import type { SimulatorDesk } from '../domain/simulation/ports';
import { token } from './token';

/** What operators see and start, by name. */
export const operationTokens = {
  encryptionKeyIds: token<readonly string[]>('encryptionKeyIds'),
  poolGauge: token<PoolGauge>('poolGauge'),
  databaseClock: token<DatabaseClock>('databaseClock'),
  clockWatch: token<ClockWatch>('clockWatch'),
  databaseHealth: token<DatabaseHealth>('databaseHealth'),
  notedBox: token<NotedSecretBox>('notedBox'),
  instanceBoard: token<PostgresInstanceBoard>('instanceBoard'),
  operationsReader: token<OperationsReader>('operationsReader'),
  announcer: token<Announcer>('announcer'),
  keyRing: token<KeyRing>('keyRing'),
  rewrapBook: token<RunBook<RewrapRequest, RewrapProgress>>('rewrapBook'),
  rewrapRuns: token<LongRuns<RewrapRequest, RewrapProgress>>('rewrapRuns'),
  partnerDrive: token<PartnerDrive>('partnerDrive'),
  conformanceBook: token<RunBook<ConformanceRequest, ConformanceProgress>>('conformanceBook'),
  conformanceRuns: token<LongRuns<ConformanceRequest, ConformanceProgress>>('conformanceRuns'),
  simulators: token<SimulatorDesk | undefined>('simulators'),
  operationsDesk: token<OperationsDesk>('operationsDesk'),
  exchangeReader: token<ExchangeReader>('exchangeReader'),
  figures: token<Figures>('figures'),
  mutes: token<MuteBook>('mutes'),
  endingCredentials: token<EndingCredentials>('endingCredentials'),
  probes: token<ProbeBook>('probes'),
  probe: token<EndpointProbe>('probe'),
  proofs: token<ProofBook>('proofs'),
  live: token<LiveBook>('live'),
  figureRoll: token<FigureRoll>('figureRoll'),
  figureWorker: token<FigureWorker>('figureWorker'),
  paymentFigureRoll: token<FigureRoll>('paymentFigureRoll'),
  paymentFigureWorker: token<FigureWorker>('paymentFigureWorker'),
  moneyRoll: token<FigureRoll>('moneyRoll'),
  moneyWorker: token<FigureWorker>('moneyWorker'),
  callCounts: token<CallCounts>('callCounts'),
  countedQueue: token<CountedDeliveryQueue>('countedQueue'),
  countedLimiter: token<CountedRateLimiter>('countedLimiter'),
  postgresExchanges: token<PostgresExchangeLog>('postgresExchanges'),
  /** What a process can tell of itself. */
  ownSamples: token<SampleSource>('ownSamples'),
  /** What the database shows of the service as a whole. */
  sharedSamples: token<SampleSource>('sharedSamples'),
} as const;

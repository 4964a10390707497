import type { OperationsReader } from '../../../domain/operations/ports';
import { type Sample, sampleOf } from './sample';

/** How long a database result is reused, in milliseconds, so that several scrapers cost no more than one. */
const keptMs = 5000;
/** The longest wait of a scrape for the database, in milliseconds. */
const patienceMs = 2000;

interface Deps {
  readonly operations: Pick<OperationsReader, 'backlog' | 'standing' | 'database'>;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Resolves after the given milliseconds. Does not keep the process alive. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Samples from the database, equal on every instance. Without an answer in time, only the sample that it is unavailable. */
export function serviceFigures({ operations, now, pause }: Deps): () => Promise<readonly Sample[]> {
  let kept: { readonly at: number; readonly samples: Promise<readonly Sample[]> } | undefined;
  const away = [sampleOf('pierhead_database_up', [0])];
  return () => {
    if (!kept || now() - kept.at >= keptMs) kept = { at: now(), samples: readFigures(operations).catch(() => away) };
    return Promise.race([kept.samples, pause(patienceMs).then(() => away)]);
  };
}

async function readFigures(operations: Deps['operations']): Promise<readonly Sample[]> {
  // Reads one after the other, so that a scrape uses only one of the few connections.
  const backlog = await operations.backlog();
  const { parked, failed, queues, lateMs, hostAppsLeftAlone } = await operations.standing();
  const { size, connections, maxConnections, migrations } = await operations.database();
  return [
    sampleOf('pierhead_database_up', [1]),
    sampleOf('pierhead_deliveries_pending', [backlog.waiting]),
    sampleOf('pierhead_delivery_oldest_seconds', [backlog.oldestMs / 1000]),
    sampleOf('pierhead_delivery_late_seconds', ...Object.entries(lateMs).map(([state, ms]) => [ms / 1000, state] as const)),
    sampleOf('pierhead_deliveries_parked', [parked]),
    sampleOf('pierhead_deliveries_dead', [failed]),
    sampleOf('pierhead_endpoint_queues', ...Object.entries(queues).map(([state, count]) => [count, state] as const)),
    sampleOf('pierhead_host_apps_left_alone', [hostAppsLeftAlone]),
    sampleOf('pierhead_database_size_bytes', [size]),
    sampleOf('pierhead_database_connections', [connections]),
    sampleOf('pierhead_database_connections_max', [maxConnections]),
    sampleOf('pierhead_database_migrations_pending', [migrations.pending.length]),
  ];
}

import type { OperationsReader } from '../../../domain/operations/ports';
import { type Sample, sampleOf } from './sample';

/** For so long an answer of the database is reused, in milliseconds: several scrapers cost it no more than one. */
const keptMs = 5000;
/** A scrape does not wait longer for the database, in milliseconds. */
const patienceMs = 2000;

interface Deps {
  readonly operations: Pick<OperationsReader, 'backlog' | 'standing' | 'database'>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; keeps no process alive. */
  readonly pause: (ms: number) => Promise<void>;
}

/** What the database shows, the same for every instance. Where it does not answer in time, only that. */
export function serviceFigures({ operations, now, pause }: Deps): () => Promise<readonly Sample[]> {
  let kept: { readonly at: number; readonly samples: Promise<readonly Sample[]> } | undefined;
  const away = [sampleOf('pierhead_database_up', [0])];
  return () => {
    if (!kept || now() - kept.at >= keptMs) kept = { at: now(), samples: look(operations).catch(() => away) };
    return Promise.race([kept.samples, pause(patienceMs).then(() => away)]);
  };
}

async function look(operations: Deps['operations']): Promise<readonly Sample[]> {
  // One after the other: a scrape takes one connection of the few.
  const backlog = await operations.backlog();
  const { parked, failed, lanes, lateMs, hostAppsLeftAlone } = await operations.standing();
  const { size, connections, mostConnections, migrations } = await operations.database();
  return [
    sampleOf('pierhead_database_up', [1]),
    sampleOf('pierhead_deliveries_owed', [backlog.waiting]),
    sampleOf('pierhead_delivery_oldest_seconds', [backlog.oldestMs / 1000]),
    sampleOf('pierhead_delivery_late_seconds', ...Object.entries(lateMs).map(([state, ms]) => [ms / 1000, state] as const)),
    sampleOf('pierhead_deliveries_parked', [parked]),
    sampleOf('pierhead_deliveries_dead', [failed]),
    sampleOf('pierhead_delivery_lanes', ...Object.entries(lanes).map(([state, count]) => [count, state] as const)),
    sampleOf('pierhead_host_apps_left_alone', [hostAppsLeftAlone]),
    sampleOf('pierhead_database_size_bytes', [size]),
    sampleOf('pierhead_database_connections', [connections]),
    sampleOf('pierhead_database_connections_max', [mostConnections]),
    sampleOf('pierhead_database_migrations_pending', [migrations.pending.length]),
  ];
}

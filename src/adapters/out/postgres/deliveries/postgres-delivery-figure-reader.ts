import type { DataSource } from 'typeorm';
import {
  attemptEdges,
  backlogPoints,
  endpointsCounted,
  type Backlog,
  type DeliveryFigureReader,
  type DeliveryFiguresRequest,
  type EndpointFigures,
} from '../../../../domain/deliveries/delivery-figures';
import { run, type Statement } from '../connection/statement';

const ofPartner = '($1::text is null or i.client_id = $1) and ($2::text is null or i.app_id = $2)';
const scope = `from deliveries d left join integrations i on i.id = d.integration_id where ${ofPartner}`;

const inBar = (from: number, to: number | undefined): string =>
  `count(*) filter (where d.attempts >= ${String(from)}${to === undefined ? '' : ` and d.attempts < ${String(to)}`})::integer`;

const endpoints: Statement = {
  name: 'deliveries.figures',
  text: `
    select d.queue, count(*)::integer as count,
      count(*) filter (where d.state = 'delivered')::integer as delivered,
      count(*) filter (where d.state = 'failed')::integer as failed,
      count(*) filter (where d.state = 'delivered' and d.attempts = 1)::integer as first_try,
      count(*) filter (where d.attempts > 0)::integer as attempted,
      array[${attemptEdges.map((from, i) => inBar(from, attemptEdges[i + 1])).join(', ')}] as by_attempts
    ${scope} and d.created_at >= $3 and d.created_at < $4
    group by d.queue order by count(*) desc, d.queue limit ${String(endpointsCounted)}`,
};

const pendingNow: Statement = {
  name: 'deliveries.backlog-now',
  text: `select count(*)::integer as depth, min(coalesce(d.resent_at, d.created_at)) as oldest ${scope} and d.state = 'ready'`,
};

/** The deliveries created and ended in each step of $4 milliseconds since $3. */
const moves: Statement = {
  name: 'deliveries.backlog-moves',
  text: `
    select step, sum(made)::integer as made, sum(ended)::integer as ended from (
      select floor(extract(epoch from d.created_at - $3) * 1000 / $4)::integer as step, count(*) as made, 0 as ended
      ${scope} and d.created_at >= $3 group by 1
      union all
      select floor(extract(epoch from d.ended_at - $3) * 1000 / $4)::integer, 0, count(*)
      ${scope} and d.state in ('delivered', 'failed') and d.ended_at >= $3 group by 1
    ) moves group by step`,
};

interface EndpointRow {
  queue: string;
  count: number;
  delivered: number;
  failed: number;
  first_try: number;
  attempted: number;
  by_attempts: number[];
}

/** Counts deliveries in Postgres. */
export class PostgresDeliveryFigureReader implements DeliveryFigureReader {
  constructor(private readonly db: DataSource) {}

  async endpoints({ from, to, clientId, appId }: DeliveryFiguresRequest): Promise<readonly EndpointFigures[]> {
    const rows = await run<EndpointRow>(this.db, endpoints, [clientId ?? null, appId ?? null, new Date(from), new Date(to)]);
    return rows.map(({ first_try: firstTry, by_attempts: byAttempts, ...row }) => ({ ...row, firstTry, byAttempts }));
  }

  /** Computes the backlog backwards from the pending deliveries of now: minus those created since, plus those ended since. */
  async backlog({ from, to, clientId, appId }: DeliveryFiguresRequest): Promise<Backlog> {
    const partner = [clientId ?? null, appId ?? null];
    const stepMs = Math.max(1, (to - from) / backlogPoints);
    const moved = await run<{ step: number; made: number; ended: number }>(this.db, moves, [...partner, new Date(from), stepMs]);
    const [now] = await run<{ depth: number; oldest: Date | null }>(this.db, pendingNow, partner);
    const rises = new Map(moved.map(({ step, made, ended }) => [step, made - ended]));
    let depth = now?.depth ?? 0;
    for (const [step, rise] of rises) if (step >= backlogPoints) depth -= rise;
    const line = Array.from({ length: backlogPoints }, (_, i) => {
      const step = backlogPoints - 1 - i;
      const point = { at: Math.round(from + (step + 1) * stepMs), depth: Math.max(0, depth) };
      depth -= rises.get(step) ?? 0;
      return point;
    });
    return { depth: now?.depth ?? 0, oldest: now?.oldest?.getTime(), line: line.reverse() };
  }
}

import type { DataSource } from 'typeorm';
import type { ChangeReader, LiveChange } from '../../../../domain/live/ports';
import type { Clock } from '../../../../domain/shared/ports';
import { run, type Statement } from '../connection/statement';

/** Rows up to this age are read again, because an exchange is written when it ends but has the time when it began. */
const windowMs = 60_000;

const paymentCalls = new Set(['create_order_payment', 'get_payment_status', 'complete_order']);

interface NewsRow {
  readonly kind: 'exchange' | 'content' | 'ended' | 'audit';
  readonly id: string;
  /** The call of an exchange, the kind of a delivery, or the subject of an audit entry. */
  readonly what: string;
  readonly client_id: string | null;
  readonly app_id: string | null;
}

const since = 'to_timestamp($1::double precision / 1000)';
const delivery = 'd.kind as what, i.client_id, i.app_id from deliveries d left join integrations i on i.id = d.integration_id';
const ended = (state: string): string => `
  (select 'ended', d.id, ${delivery} where d.state = '${state}' and d.ended_at >= ${since} order by d.ended_at desc limit 200)`;

/** Each part reads the newest end of an index. */
const news: Statement = {
  name: 'live.news',
  text: `
    (select 'exchange' as kind, e.id, e.call as what, e.client_id, e.app_id from exchanges e
      where e.at >= ${since} order by e.at desc, e.id desc limit 500)
    union all (select 'content', d.id, ${delivery} where d.created_at >= ${since} order by d.created_at desc limit 200)
    union all ${ended('delivered')}
    union all ${ended('failed')}
    union all (select 'audit', a.id::text, a.subject, null, null from audit_log a where a.at >= ${since} order by a.at desc limit 200)`,
};

/** Polls the tables for new rows: one statement per poll, none without a listener, none during calls. */
export class PostgresChangeReader implements ChangeReader {
  private seen: ReadonlySet<string> | undefined;

  constructor(private readonly deps: { readonly db: DataSource; readonly clock: Clock }) {}

  async poll(): Promise<readonly LiveChange[]> {
    const { db, clock } = this.deps;
    const rows = await run<NewsRow>(db, news, [clock.now() - windowMs]);
    const before = this.seen;
    this.seen = new Set(rows.map(keyOf));
    return before ? rows.filter((row) => !before.has(keyOf(row))).flatMap(changesOf) : [];
  }
}

const keyOf = ({ kind, id }: NewsRow): string => `${kind} ${id}`;

function changesOf({ kind, what, client_id, app_id }: NewsRow): readonly LiveChange[] {
  if (kind === 'audit') return auditChanges(what);
  const pair = { clientId: client_id ?? undefined, appId: app_id ?? undefined };
  const isOfPayment = kind === 'exchange' ? paymentCalls.has(what) : what === 'completion';
  const topic = kind === 'exchange' ? 'exchanges' : 'deliveries';
  return [{ topic, ...pair }, ...(isOfPayment ? [{ topic: 'payments', ...pair } as const] : [])];
}

/** Reads the partner from the subject: `host-app:ID`, `miniapp:ID`, `integration:CLIENT/APP`. */
function auditChanges(subject: string): readonly LiveChange[] {
  const [, kind, first, second] = /^(host-app|miniapp|integration):([^/]+)(?:\/(.+))?$/.exec(subject) ?? [];
  if (kind === undefined) return [{ topic: 'audit' }];
  const pair = kind === 'miniapp' ? { appId: first } : { clientId: first, appId: second };
  return [
    { topic: 'audit', ...pair },
    { topic: 'integrations', ...pair },
  ];
}

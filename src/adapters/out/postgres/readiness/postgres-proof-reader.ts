import type { DataSource } from 'typeorm';
import type { Exchange } from '../../../../domain/exchanges/exchange';
import type { GoodCall, PaymentProof, PaymentProofs, ProofReader } from '../../../../domain/readiness/ports';
import { exchangeColumns, exchangeFrom, type ExchangeRow } from '../exchanges/exchange.schema';
import { run, type Statement } from '../connection/statement';

const calls: Statement = {
  name: 'proofs.calls',
  text: `
    select found.* from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) as good (client_id, app_id, call, at)
    cross join lateral (
      select ${exchangeColumns} from exchanges e
      where e.client_id = good.client_id and e.app_id = good.app_id and e.call = good.call and e.status < 400
        and e.at >= good.at and e.at < good.at + interval '1 millisecond'
      order by e.at desc, e.id desc limit 1
    ) as found`,
};

/** The last row of an integration, found by its index of integrations. */
const lastOf = (table: string, at: string, which: string): string => `
    left join lateral (
      select id, ${at} as at from ${table} where integration_id = wanted.id and created_at >= $2 and ${which}
      order by created_at desc, id desc limit 1
    )`;

const payments: Statement = {
  name: 'proofs.payments',
  text: `
    select wanted.id as integration_id, created.id as created_id, created.at as created_at, completed.id as completed_id,
      completed.at as completed_at, noticed.id as noticed_id, noticed.at as noticed_at
    from unnest($1::text[]) as wanted (id)
    ${lastOf('order_payments', 'created_at', `creation = 'opened'`)} as created on true
    ${lastOf('order_payments', 'coalesce(settled_at, created_at)', `status = 'paid'`)} as completed on true
    ${lastOf('deliveries', 'coalesce(ended_at, created_at)', `kind = 'completion' and state = 'delivered'`)} as noticed on true`,
};

type Shown = 'created' | 'completed' | 'noticed';
type ProofsRow = { integration_id: string } & Record<`${Shown}_id`, string | null> & Record<`${Shown}_at`, Date | null>;

/** Reads the proofs of many integrations, with one statement per kind of proof. */
export class PostgresProofReader implements ProofReader {
  constructor(private readonly db: DataSource) {}

  async calls(good: readonly GoodCall[]): Promise<readonly Exchange[]> {
    if (good.length === 0) return [];
    const columns = [good.map(({ clientId }) => clientId), good.map(({ appId }) => appId), good.map(({ call }) => call)];
    return (await run<ExchangeRow>(this.db, calls, [...columns, good.map(({ at }) => new Date(at))])).map(exchangeFrom);
  }

  async payments(integrationIds: readonly string[], since: number): Promise<readonly PaymentProofs[]> {
    if (integrationIds.length === 0) return [];
    return (await run<ProofsRow>(this.db, payments, [integrationIds, new Date(since)])).map((row) => ({
      integrationId: row.integration_id,
      created: proofFrom(row.created_id, row.created_at),
      completed: proofFrom(row.completed_id, row.completed_at),
      noticed: proofFrom(row.noticed_id, row.noticed_at),
    }));
  }
}

const proofFrom = (id: string | null, at: Date | null): PaymentProof | undefined =>
  id === null || at === null ? undefined : { id, at: at.getTime() };

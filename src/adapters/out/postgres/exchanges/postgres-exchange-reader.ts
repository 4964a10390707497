import type { DataSource } from 'typeorm';
import type { Exchange } from '../../../../domain/exchanges/exchange';
import type { ExchangeFilter, ExchangeReader, FailureKey } from '../../../../domain/exchanges/ports';
import type { PageRequest } from '../../../../domain/partners/ports';
import { requireIds } from '../../../../domain/shared/required-id';
import { exchangeColumns, exchangeFrom, type ExchangeRow } from './exchange.schema';
import { filteredStatement, type Conditions } from '../connection/filtered-statement';
import { run, type Statement } from '../connection/statement';

const select = `select ${exchangeColumns} from exchanges`;

const find: Statement = { name: 'exchanges.find', text: `${select} where id = $1` };

const conditions: Conditions<ExchangeFilter & { after?: string }> = {
  clientId: 'client_id = ?',
  appId: 'app_id = ?',
  call: 'call = ?',
  status: 'status = ?',
  errorCode: 'error_code = ?',
  requestId: 'request_id = ?',
  // A range, so that the index on status is used.
  statusClass: 'status >= ?::integer * 100 and status < ?::integer * 100 + 100',
  failedSide: 'failed_side = ?',
  refusedCheck: 'refused_check = ?',
  minMs: 'ms >= ?',
  partOf: 'part_of = ?',
  from: 'at >= to_timestamp(?::double precision / 1000)',
  to: 'at < to_timestamp(?::double precision / 1000)',
  after: '(at, id) < (select at, id from exchanges where id = ?)',
};

/** Uses the index on time: few exchanges share a millisecond. */
const failuresAt: Statement = {
  name: 'exchanges.failures-at',
  text: `
    select found.* from unnest($1::timestamptz[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
      as failure (at, error_code, failed_side, failed_step, client_id, app_id)
    cross join lateral (
      select ${exchangeColumns} from exchanges e
      where e.at >= failure.at and e.at < failure.at + interval '1 millisecond'
        and (e.error_code, e.failed_side, e.failed_step) is not distinct from (failure.error_code, failure.failed_side, failure.failed_step)
        and (e.client_id, e.app_id) is not distinct from (failure.client_id, failure.app_id)
      order by e.at desc, e.id desc limit 1
    ) as found`,
};

/** Reads exchange records, newest first. A page after a record that was removed is empty, because older records were removed before it. */
export class PostgresExchangeReader implements ExchangeReader {
  constructor(private readonly db: DataSource) {}

  async list(filter: ExchangeFilter, { limit, after }: PageRequest): Promise<readonly Exchange[]> {
    const list = { select, end: 'order by at desc, id desc limit ?' };
    const { statement, values } = filteredStatement(list, conditions, { ...filter, ...(after !== undefined && { after }) });
    return (await run<ExchangeRow>(this.db, statement, [...values, limit])).map(exchangeFrom);
  }

  async find(id: string): Promise<Exchange | undefined> {
    requireIds({ id });
    const [row] = await run<ExchangeRow>(this.db, find, [id]);
    return row && exchangeFrom(row);
  }

  async failuresAt(keys: readonly FailureKey[]): Promise<readonly Exchange[]> {
    if (keys.length === 0) return [];
    const column = <Name extends keyof FailureKey>(name: Name) => keys.map((key) => key[name] ?? null);
    const columns = [column('errorCode'), column('failedSide'), column('failedStep'), column('clientId'), column('appId')];
    const rows = await run<ExchangeRow>(this.db, failuresAt, [keys.map(({ at }) => new Date(at)), ...columns]);
    return rows.map(exchangeFrom);
  }
}

import type { DataSource } from 'typeorm';
import type { Exchange } from '../../../domain/exchanges/exchange';
import type { ExchangeFilter, ExchangeReader } from '../../../domain/exchanges/ports';
import type { PageRequest } from '../../../domain/partners/ports';
import { requireIds } from '../../../domain/shared/required-id';
import { exchangeColumns, exchangeFrom, type ExchangeRow } from './exchange.schema';
import { filteredStatement, type Conditions } from './filtered-statement';
import { run, type Statement } from './statement';

const select = `select ${exchangeColumns} from exchanges`;

const find: Statement = { name: 'exchanges.find', text: `${select} where id = $1` };

const conditions: Conditions<ExchangeFilter & { after?: string }> = {
  clientId: 'client_id = ?',
  appId: 'app_id = ?',
  call: 'call = ?',
  status: 'status = ?',
  errorCode: 'error_code = ?',
  requestId: 'request_id = ?',
  // As a range, so that an index of statuses has it.
  statusClass: 'status >= ?::integer * 100 and status < ?::integer * 100 + 100',
  failedSide: 'failed_side = ?',
  refusedCheck: 'refused_check = ?',
  minMs: 'ms >= ?',
  partOf: 'part_of = ?',
  from: 'at >= to_timestamp(?::double precision / 1000)',
  to: 'at < to_timestamp(?::double precision / 1000)',
  after: '(at, id) < (select at, id from exchanges where id = ?)',
};

/** Reads exchange records, newest first. A page after a record that is no longer kept is empty: older ones went before it. */
export class PostgresExchangeReader implements ExchangeReader {
  constructor(private readonly db: DataSource) {}

  async list(filter: ExchangeFilter, { limit, after }: PageRequest): Promise<readonly Exchange[]> {
    const list = { name: 'exchanges.list', select, end: 'order by at desc, id desc limit ?' };
    const { statement, values } = filteredStatement(list, conditions, { ...filter, ...(after !== undefined && { after }) });
    return (await run<ExchangeRow>(this.db, statement, [...values, limit])).map(exchangeFrom);
  }

  async find(id: string): Promise<Exchange | undefined> {
    requireIds({ id });
    const [row] = await run<ExchangeRow>(this.db, find, [id]);
    return row && exchangeFrom(row);
  }
}

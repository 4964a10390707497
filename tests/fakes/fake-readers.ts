import type { Exchange } from '../../src/domain/exchanges/exchange';
import type { ExchangeFilter, ExchangeReader, FailureKey } from '../../src/domain/exchanges/ports';
import type { AuditFilter, AuditReader, AuditRecord, PageRequest } from '../../src/domain/partners/ports';

interface ListCall<Filter> {
  readonly filter: Filter;
  readonly page: PageRequest;
}

/** Exchanges from an array; remembers what it was asked, and pages without looking at the filter. */
export class FakeExchangeReader implements ExchangeReader {
  readonly calls: ListCall<ExchangeFilter>[] = [];
  constructor(readonly rows: Exchange[] = []) {}

  list(filter: ExchangeFilter, page: PageRequest): Promise<readonly Exchange[]> {
    this.calls.push({ filter, page });
    return Promise.resolve(pageOf(this.rows, page));
  }

  find(id: string): Promise<Exchange | undefined> {
    return Promise.resolve(this.rows.find((row) => row.id === id));
  }

  failuresAt(keys: readonly FailureKey[]): Promise<readonly Exchange[]> {
    return Promise.resolve(this.rows.filter((row) => keys.some(({ at, errorCode }) => at === row.at && errorCode === row.errorCode)));
  }
}

/** Audit rows from an array, in the same way. */
export class FakeAuditReader implements AuditReader {
  readonly calls: ListCall<AuditFilter>[] = [];
  constructor(readonly rows: AuditRecord[] = []) {}

  list(filter: AuditFilter, page: PageRequest): Promise<readonly AuditRecord[]> {
    this.calls.push({ filter, page });
    return Promise.resolve(pageOf(this.rows, page));
  }
}

const pageOf = <T extends { readonly id: string }>(rows: readonly T[], { limit, after }: PageRequest): readonly T[] => {
  const start = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1;
  return rows.slice(start, start + limit);
};

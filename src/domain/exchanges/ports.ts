import type { PageRequest } from '../partners/ports';
import type { Side } from '../shared/errors';
import type { CheckName, Exchange } from './exchange';

/**
 * Stores exchange records. `append` returns at once and never fails; records are written in batches soon after, so a killed process loses
 * at most one second of them (and nothing else).
 */
export interface ExchangeLog {
  append(exchange: Exchange): void;
}

/** Selects exchanges; every given condition must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface ExchangeFilter {
  readonly clientId?: string;
  readonly appId?: string;
  readonly call?: string;
  readonly status?: number;
  readonly errorCode?: string;
  readonly requestId?: string;
  /** First digit of the status: `2` means 200 to 299. */
  readonly statusClass?: number;
  readonly failedSide?: Side;
  readonly refusedCheck?: CheckName;
  /** Minimum duration of the whole call, in milliseconds. */
  readonly minMs?: number;
  /** The id of the payment or durable event that the exchange belongs to. */
  readonly partOf?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Identifies a failed exchange by its time, in milliseconds since the epoch, and its failure; an absent member matches an absent value. */
export interface FailureKey {
  readonly at: number;
  readonly errorCode?: string | undefined;
  readonly failedSide?: string | undefined;
  readonly failedStep?: string | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Reads stored exchange records, newest first. */
export interface ExchangeReader {
  list(filter: ExchangeFilter, page: PageRequest): Promise<readonly Exchange[]>;
  find(id: string): Promise<Exchange | undefined>;
  /** The last exchange for each key, in no order. Keys whose record is no longer stored are skipped. */
  failuresAt(keys: readonly FailureKey[]): Promise<readonly Exchange[]>;
}

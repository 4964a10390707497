import type { PageRequest } from '../partners/ports';
import type { Side } from '../shared/errors';
import type { CheckName, Exchange } from './exchange';

/**
 * Where exchange records go. `append` returns at once and never fails; records are written in batches soon after, so a
 * killed process loses at most one second of them (and nothing else).
 */
export interface ExchangeLog {
  append(exchange: Exchange): void;
}

/** Which exchanges: all that are named must hold. Times are milliseconds since the epoch, `from` included, `to` not. */
export interface ExchangeFilter {
  readonly clientId?: string;
  readonly appId?: string;
  readonly call?: string;
  readonly status?: number;
  readonly errorCode?: string;
  readonly requestId?: string;
  /** `2`: 200 to 299, and so on. */
  readonly statusClass?: number;
  readonly failedSide?: Side;
  readonly refusedCheck?: CheckName;
  /** Milliseconds that the whole call took, at least. */
  readonly minMs?: number;
  /** The payment, or durable event, that it is a part of. */
  readonly partOf?: string;
  readonly from?: number;
  readonly to?: number;
}

/** What a failed exchange is found by: when it was, in milliseconds since the epoch, and how it failed; absent is what it lacks. */
export interface FailurePlace {
  readonly at: number;
  readonly errorCode?: string | undefined;
  readonly failedSide?: string | undefined;
  readonly failedStep?: string | undefined;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** The records that were written, newest first. */
export interface ExchangeReader {
  list(filter: ExchangeFilter, page: PageRequest): Promise<readonly Exchange[]>;
  find(id: string): Promise<Exchange | undefined>;
  /** The last exchange at each of these places, in no order; none where it is not kept any more. */
  failuresAt(places: readonly FailurePlace[]): Promise<readonly Exchange[]>;
}

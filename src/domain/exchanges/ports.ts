import type { Exchange } from './exchange';

/**
 * Where exchange records go. `append` returns at once and never fails; records are written in batches soon after, so a
 * killed process loses at most one second of them (and nothing else).
 */
export interface ExchangeLog {
  append(exchange: Exchange): void;
}

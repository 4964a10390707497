import { EntitySchema } from 'typeorm';
import type { CheckName, Exchange, Leg, RefusedCheck } from '../../../../domain/exchanges/exchange';
import type { Side, Step } from '../../../../domain/shared/errors';
import { isoTime } from '../../../../domain/shared/iso-time';

/** A row of exchanges. */
export interface ExchangeRow {
  id: string;
  request_id: string;
  call: string;
  client_id: string | null;
  app_id: string | null;
  reference: string | null;
  at: Date;
  ms: number;
  status: number;
  error_code: string | null;
  failed_side: Side | null;
  failed_step: Step | null;
  checks: CheckName[];
  refused_check: CheckName | null;
  refused_of: RefusedCheck['of'] | null;
  part_of: string | null;
  legs: Leg[];
}

export const exchangeSchema = new EntitySchema<ExchangeRow>({
  name: 'Exchange',
  tableName: 'exchanges',
  columns: {
    id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'exchanges_pkey' },
    request_id: { type: 'text' },
    call: { type: 'text' },
    client_id: { type: 'text', nullable: true },
    app_id: { type: 'text', nullable: true },
    reference: { type: 'text', nullable: true },
    at: { type: 'timestamptz' },
    ms: { type: 'integer' },
    status: { type: 'integer' },
    error_code: { type: 'text', nullable: true },
    failed_side: { type: 'text', nullable: true },
    failed_step: { type: 'text', nullable: true },
    checks: { type: 'text', array: true },
    legs: { type: 'jsonb' },
    refused_check: { type: 'text', nullable: true },
    refused_of: { type: 'text', nullable: true },
    part_of: { type: 'text', nullable: true },
  },
  indices: [
    { name: 'exchanges_at', columns: ['at'] },
    { name: 'exchanges_by_request', columns: ['request_id'] },
    { name: 'exchanges_by_pair', columns: ['client_id', 'app_id', 'at'] },
    { name: 'exchanges_by_miniapp', columns: ['app_id', 'at'] },
    { name: 'exchanges_by_error', columns: ['error_code', 'at'], where: 'error_code is not null' },
    { name: 'exchanges_of_call', columns: ['call', 'at'] },
    { name: 'exchanges_by_status', columns: ['status', 'at', 'id'], where: 'status >= 300' },
    { name: 'exchanges_by_failed_side', columns: ['failed_side', 'at', 'id'], where: 'failed_side is not null' },
    { name: 'exchanges_by_refused_check', columns: ['refused_check', 'at', 'id'], where: 'refused_check is not null' },
    { name: 'exchanges_slow', columns: ['at', 'id'], where: 'ms >= 1000' },
    { name: 'exchanges_by_whole', columns: ['part_of', 'at'], where: 'part_of is not null' },
  ],
});

/** A row in the JSON array of the insert; nulls are left out. */
type TravellingRow = { readonly [Column in keyof Omit<ExchangeRow, 'at'>]: NonNullable<ExchangeRow[Column]> | undefined } & {
  readonly at: string;
};

/** Maps an exchange to its row in the insert. */
export const exchangeToRow = (exchange: Exchange): TravellingRow => ({
  id: exchange.id,
  request_id: exchange.requestId,
  call: exchange.call,
  client_id: exchange.clientId,
  app_id: exchange.appId,
  reference: exchange.reference,
  at: isoTime(exchange.at),
  ms: Math.round(exchange.ms),
  status: exchange.status,
  error_code: exchange.errorCode,
  failed_side: exchange.failedSide,
  failed_step: exchange.failedStep,
  checks: exchange.checks as CheckName[],
  refused_check: exchange.refused?.check,
  refused_of: exchange.refused?.of,
  part_of: exchange.partOf,
  legs: exchange.legs as Leg[],
});

/** The columns that `exchangeFrom` needs. */
export const exchangeColumns = `id, request_id, call, client_id, app_id, reference, at, ms, status, error_code, failed_side, failed_step, checks,
    refused_check, refused_of, part_of, legs`;

export const exchangeFrom = (row: ExchangeRow): Exchange => ({
  id: row.id,
  requestId: row.request_id,
  call: row.call,
  clientId: row.client_id ?? undefined,
  appId: row.app_id ?? undefined,
  reference: row.reference ?? undefined,
  at: row.at.getTime(),
  ms: row.ms,
  status: row.status,
  errorCode: row.error_code ?? undefined,
  failedSide: row.failed_side ?? undefined,
  failedStep: row.failed_step ?? undefined,
  checks: row.checks,
  refused: row.refused_check === null || row.refused_of === null ? undefined : { check: row.refused_check, of: row.refused_of },
  partOf: row.part_of ?? undefined,
  legs: row.legs,
});

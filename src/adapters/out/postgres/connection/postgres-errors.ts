import { QueryFailedError } from 'typeorm';
import { Unavailable } from '../../../../domain/shared/errors';
import { isServerFull, PoolOverrun } from './bounded-pool';

/** The driver's error: SQLSTATE or errno in `code`, and the violated constraint, if any. */
interface DriverError extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly routine?: string;
}

const driverError = (error: unknown): DriverError | undefined => {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return inner instanceof Error ? inner : undefined;
};

/** Why a valid statement was not executed: `custom_attributes.cause` of a 503, and a reason of `/health/ready`. */
export const databaseCauses = ['database-away', 'database-busy', 'database-full', 'database-read-only'] as const;
export type DatabaseCause = (typeof databaseCauses)[number];

/**
 * SQLSTATE (PostgreSQL, appendix A): connection exceptions, server shutting down or starting, ended sessions, I/O errors, and a log-in
 * that the server refuses: no such database, role or password.
 */
const AWAY_STATE = /^(08...|57P0.|25P03|58030|3D000|28...)$/;
/** The server's check of the database at a log-in: it takes no connections, or not those of this role. */
const LOG_IN_CHECK = 'CheckMyDatabase';
/**
 * The server is a standby, or the server or database is set to read-only. The connection is closed, because the next one may reach the
 * primary.
 */
const READ_ONLY_STATE = '25006';
/** SQLSTATE disk_full. Postgres maps ENOSPC to it. */
const FULL_STATES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
const AWAY_ERRNO = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Driver errors without a code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout expired$|Query read timeout|Client (was closed|has encountered)|Cannot use a pool after)/;
const BUSY_MESSAGE = 'timeout exceeded when trying to connect';
/** Serialization failure and deadlock: the same statement succeeds when repeated. */
const CONFLICT_STATES = new Set(['40001', '40P01']);
/** Statement timeout, lock timeout, or a lack of memory, connections or other resources: the same statement may succeed a moment later. */
const BUSY_STATE = /^(57014|55P03|40001|40P01|53...)$/;

/** Whether the connection is unusable, or its prepared statements no longer fit the tables. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message, routine } = driverError(error) ?? {};
  if (code === undefined) return message !== undefined && AWAY_MESSAGE.test(message);
  if (AWAY_STATE.test(code) || code === READ_ONLY_STATE || AWAY_ERRNO.has(code)) return true;
  return routine === LOG_IN_CHECK || routine === 'RevalidateCachedQuery';
}

function causeOf(error: unknown): DatabaseCause | undefined {
  const failure = driverError(error);
  const code = failure?.code;
  if (code === READ_ONLY_STATE) return 'database-read-only';
  if (failure && isServerFull(failure)) return 'database-busy';
  if (isConnectionLost(error)) return 'database-away';
  if (failure instanceof PoolOverrun) return 'database-busy';
  if (code === undefined) return failure?.message === BUSY_MESSAGE ? 'database-busy' : undefined;
  if (FULL_STATES.has(code)) return 'database-full';
  return BUSY_STATE.test(code) ? 'database-busy' : undefined;
}

/**
 * Maps an error to `Unavailable` when the database cannot serve now, with the driver's error as its `cause`. Returns any other error
 * unchanged.
 */
export function asDomainError(error: unknown): unknown {
  const cause = causeOf(error);
  return cause === undefined ? error : unavailable(cause, error);
}

/** Whether the connection of this error must not be used again: it is broken, or its server takes no writes. */
export const isAway = (error: unknown): boolean =>
  error instanceof Unavailable && (error.details.cause === 'database-away' || error.details.cause === 'database-read-only');

/** Whether this transaction was rolled back because it conflicted with another one. It succeeds when repeated. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Unavailable && CONFLICT_STATES.has(driverError(error.cause)?.code ?? '');

/** The SQLSTATE or errno behind an `Unavailable` of the database, for the log. `undefined` when the driver set none. */
export const stateOf = (error: unknown): string | undefined => driverError(error instanceof Unavailable ? error.cause : error)?.code;

/** The error for callers when the database cannot answer. The driver's error is its `cause`, for the log only. */
export function unavailable(cause: DatabaseCause, error: unknown): Unavailable {
  return Object.defineProperty(new Unavailable(cause), 'cause', { value: error });
}

/** Whether a row with this key exists (23505); `constraint` limits it to one constraint or unique index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const failure = driverError(error);
  return failure?.code === '23505' && (constraint === undefined || failure.constraint === constraint);
}

/** Whether a row is still referenced, or references nothing: 23503; for a RESTRICT, Postgres 18 reports 23001. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const failure = driverError(error);
  return (failure?.code === '23503' || failure?.code === '23001') && (constraint === undefined || failure.constraint === constraint);
}

/** Whether a value violates this check constraint (23514). */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  const failure = driverError(error);
  return failure?.code === '23514' && failure.constraint === constraint;
}

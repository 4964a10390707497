import { QueryFailedError } from 'typeorm';
import { Unavailable } from '../../../domain/shared/errors';
import { isServerFull, PoolOverrun } from './bounded-pool';

/** What the driver says of a failure: SQLSTATE or errno in `code`, the constraint where one was broken. */
interface DriverError extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly routine?: string;
}

const driverError = (error: unknown): DriverError | undefined => {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return inner instanceof Error ? inner : undefined;
};

/** Why a statement was not carried out, though nothing is wrong with it: `custom_attributes.cause` of a 503, and a reason of `/health/ready`. */
export const databaseCauses = ['database-away', 'database-busy', 'database-full', 'database-read-only'] as const;
export type DatabaseCause = (typeof databaseCauses)[number];

/** SQLSTATE (PostgreSQL, appendix A): connection exceptions, shut down or starting, sessions that were ended, input and output. */
const AWAY_STATE = /^(08...|57P0.|25P03|58030)$/;
/** A standby, or a server or database that was set so: the connection is given up, as the next may lead to the primary. */
const READ_ONLY_STATE = '25006';
/** SQLSTATE disk_full, which is also what Postgres makes of ENOSPC. */
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
/** The driver gives these no code. */
const AWAY_MESSAGE =
  /^(Connection terminated|timeout expired$|Query read timeout|Client (was closed|has encountered)|Cannot use a pool after)/;
const BUSY_MESSAGE = 'timeout exceeded when trying to connect';
/** Serialization failure, deadlock: the same statement passes when it is repeated. */
const CONFLICT_STATES = new Set(['40001', '40P01']);
/** Statement time-out, lock time-out, or too little of memory, connections or other resources: the same statement may pass in a moment. */
const BUSY_STATE = /^(57014|55P03|40001|40P01|53...)$/;

/** The connection can serve nobody any more, or the prepared statements on it no longer fit the tables. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message, routine } = driverError(error) ?? {};
  if (code === undefined) return message !== undefined && AWAY_MESSAGE.test(message);
  return AWAY_STATE.test(code) || code === READ_ONLY_STATE || AWAY_ERRNO.has(code) || routine === 'RevalidateCachedQuery';
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

/** `Unavailable` for a database that cannot serve now, with the driver's error as its `cause`; any other error as it came. */
export function asDomainError(error: unknown): unknown {
  const cause = causeOf(error);
  return cause === undefined ? error : unavailable(cause, error);
}

/** Nothing more is to be said on the connection that this came from: it is broken, or leads to a server that takes no writes. */
export const isAway = (error: unknown): boolean =>
  error instanceof Unavailable && (error.details.cause === 'database-away' || error.details.cause === 'database-read-only');

/** Two transactions were in each other's way, and this one was rolled back: it passes when it is repeated. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Unavailable && CONFLICT_STATES.has(driverError(error.cause)?.code ?? '');

/** The SQLSTATE or errno behind an `Unavailable` of the database, for the log; `undefined`: the driver gave none. */
export const stateOf = (error: unknown): string | undefined => driverError(error instanceof Unavailable ? error.cause : error)?.code;

/** The error for callers when the database cannot answer. The driver's error stays inside, for the log. */
export function unavailable(cause: DatabaseCause, error: unknown): Unavailable {
  return Object.defineProperty(new Unavailable(cause), 'cause', { value: error });
}

/** A row with this key is there already (23505); `constraint` narrows it to one constraint or unique index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const failure = driverError(error);
  return failure?.code === '23505' && (constraint === undefined || failure.constraint === constraint);
}

/** A row is referred to, or refers to nothing: 23503; for a RESTRICT, Postgres 18 says 23001. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const failure = driverError(error);
  return (failure?.code === '23503' || failure?.code === '23001') && (constraint === undefined || failure.constraint === constraint);
}

/** A value does not keep to this check constraint (23514). */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  const failure = driverError(error);
  return failure?.code === '23514' && failure.constraint === constraint;
}

import { QueryFailedError } from 'typeorm';
import { Unavailable } from '../../../domain/shared/errors';
import { PoolOverrun } from './bounded-pool';

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

/** SQLSTATE (PostgreSQL, appendix A): connection exceptions, lack of resources, shut down or starting, a standby. */
const AWAY_STATE = /^(08...|53...|57P0[123]|25006)$/;
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
/** Statement time-out, serialization failure, deadlock: the same statement may pass in a moment. */
const BUSY_STATES = new Set(['57014', '40001', '40P01']);

/** The connection can serve nobody any more, or the prepared statements on it no longer fit the tables. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message, routine } = driverError(error) ?? {};
  if (code !== undefined) return AWAY_STATE.test(code) || AWAY_ERRNO.has(code) || routine === 'RevalidateCachedQuery';
  return message !== undefined && AWAY_MESSAGE.test(message);
}

const isBusy = (error: unknown): boolean => {
  const failure = driverError(error);
  if (failure instanceof PoolOverrun) return true;
  return failure?.code === undefined ? failure?.message === BUSY_MESSAGE : BUSY_STATES.has(failure.code);
};

/** `Unavailable` for a database that is away or overrun, with the driver's error as its `cause`; any other error as it came. */
export function asDomainError(error: unknown): unknown {
  if (isConnectionLost(error)) return unavailable('database-away', error);
  if (isBusy(error)) return unavailable('database-busy', error);
  return error;
}

/** A column that must have a value was given none: SQLSTATE not_null_violation. */
export const isMissingValue = (error: unknown): boolean => driverError(error)?.code === '23502';

/** The database did not answer, or cannot serve: nothing more is to be said on this connection. */
export const isAway = (error: unknown): boolean => error instanceof Unavailable && error.details.cause === 'database-away';

/** What callers are told when the database cannot answer. The driver's error stays inside, for the log. */
export function unavailable(cause: 'database-away' | 'database-busy', error: unknown): Unavailable {
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

/** How long statements may run: `serving` cancels them after five seconds; `none` sets no limit, for migrations and the command line. */
export type SessionLimits = 'serving' | 'none';

/** The maximum run time of a statement of the service, in milliseconds. */
export const STATEMENT_WITHIN_MS = 5000;
const IDLE_IN_TRANSACTION_WITHIN_MS = 10_000;

/** Settings that the code relies on, whatever a database or a role has set. Any role may set each of them. */
const reliedOn: Readonly<Record<string, string>> = {
  // The output format of values: the driver parses this text, and the service's SQL casts times to days.
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  // The parsing of the service's SQL.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // At another isolation level, a statement that conflicts with another one fails instead of waiting.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // A row security policy must raise an error instead of hiding rows.
  row_security: 'off',
  // At a higher threshold the server does not report that no standby has confirmed a commit.
  client_min_messages: 'warning',
  // The server would compile statements that it expects to be long, which takes longer than any statement of the service.
  jit: 'off',
  // Lock waits end with the statement timeout, and an idle connection may stay in the pool. Only newer servers have the last setting.
  lock_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
};

const limitsOf = (limits: SessionLimits): Readonly<Record<string, string>> => ({
  statement_timeout: limits === 'serving' ? String(STATEMENT_WITHIN_MS) : '0',
  idle_in_transaction_session_timeout: limits === 'serving' ? String(IDLE_IN_TRANSACTION_WITHIN_MS) : '0',
});

/** Skips a setting that this server does not know. */
const set = (name: string, value: string): string =>
  `case when current_setting('${name}', true) is not null then set_config('${name}', '${value}', false) end`;

/**
 * Acknowledged data must be on disk. The other levels guarantee at least that, and the operator chooses the standbys that they wait for.
 */
const setDurable = `case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end`;

/**
 * A statement without parameters that prepares a session in one round trip. Start parameters would do the same, but poolers refuse them.
 * @param columns - additional columns of the result.
 */
export function sessionStatement(limits: SessionLimits, columns: readonly string[] = []): string {
  const settings = Object.entries({ ...reliedOn, ...limitsOf(limits) }).map(([name, value]) => set(name, value));
  return `select ${[...columns, ...settings, setDurable].join(', ')}`;
}

/**
 * Settings that would make results or guarantees wrong in a session that cannot be prepared. Each needed value is the default of Postgres.
 */
const wrongWhere: Readonly<Record<string, string>> = {
  DateStyle: `current_setting('DateStyle') not like 'ISO%'`,
  IntervalStyle: `current_setting('IntervalStyle') <> 'postgres'`,
  bytea_output: `current_setting('bytea_output') <> 'hex'`,
  extra_float_digits: `current_setting('extra_float_digits')::integer < 1`,
  standard_conforming_strings: `current_setting('standard_conforming_strings') <> 'on'`,
  array_nulls: `current_setting('array_nulls') <> 'on'`,
  transform_null_equals: `current_setting('transform_null_equals') <> 'off'`,
  default_transaction_isolation: `current_setting('default_transaction_isolation') <> 'read committed'`,
  client_min_messages: `current_setting('client_min_messages') = 'error'`,
  synchronous_commit: `current_setting('synchronous_commit') = 'off'`,
};

/** A column with the first wrong setting of a shared session; null when all are right. */
export const firstWrongSetting = `case ${Object.entries(wrongWhere)
  .map(([name, condition]) => `when ${condition} then '${name}'`)
  .join(' ')} end as wrong`;

/** The value that the code needs for the setting. */
export const neededValue = (name: string): string => reliedOn[name] ?? 'on';

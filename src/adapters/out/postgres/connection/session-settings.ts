/** How long statements may run: `serving` cuts off after five seconds; `none` never does, for migrations and the command line. */
export type SessionLimits = 'serving' | 'none';

/** A statement of the service runs no longer than this, in milliseconds. */
export const STATEMENT_WITHIN_MS = 5000;
const IDLE_IN_TRANSACTION_WITHIN_MS = 10_000;

/** What the code relies on, whatever a database or a role has set. Any role may set each of them. */
const reliedOn: Readonly<Record<string, string>> = {
  // How values are written: the driver reads this text, and SQL of ours casts times to days.
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  // How our own text is read.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // Under another level a statement that meets another one fails instead of waiting.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  // A policy that hides rows from the role is an error, not an empty answer.
  row_security: 'off',
  // Below this level the server keeps to itself that no standby has confirmed a commit.
  client_min_messages: 'warning',
  // A statement waits for a lock until it is cut off, and a connection may rest in the pool. Newer servers have the last one.
  lock_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
};

const limitsOf = (limits: SessionLimits): Readonly<Record<string, string>> => ({
  statement_timeout: limits === 'serving' ? String(STATEMENT_WITHIN_MS) : '0',
  idle_in_transaction_session_timeout: limits === 'serving' ? String(IDLE_IN_TRANSACTION_WITHIN_MS) : '0',
});

/** A setting that this server does not know is left out. */
const set = (name: string, value: string): string =>
  `case when current_setting('${name}', true) is not null then set_config('${name}', '${value}', false) end`;

/** Acknowledged data is on a disk. Other levels wait for at least that, and which standbys they wait for is the operator's choice. */
const setDurable = `case current_setting('synchronous_commit') when 'off' then set_config('synchronous_commit', 'on', false) end`;

/**
 * A statement without parameters that sets a session up, in one round trip. Start parameters would do the same, but poolers refuse them.
 * @param columns - what the statement returns beside.
 */
export function sessionStatement(limits: SessionLimits, columns: readonly string[] = []): string {
  const settings = Object.entries({ ...reliedOn, ...limitsOf(limits) }).map(([name, value]) => set(name, value));
  return `select ${[...columns, ...settings, setDurable].join(', ')}`;
}

/** A setting that makes answers or promises wrong, where no session can be set up; each is as Postgres has it by default. */
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

/** The first setting that a shared session has wrong, as a column; null: none. */
export const firstWrongSetting = `case ${Object.entries(wrongWhere)
  .map(([name, condition]) => `when ${condition} then '${name}'`)
  .join(' ')} end as wrong`;

/** What the code needs the setting to be. */
export const neededValue = (name: string): string => reliedOn[name] ?? 'on';

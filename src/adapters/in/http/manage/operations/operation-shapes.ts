import {
  count,
  flag,
  list,
  map,
  members,
  number,
  object,
  oneOf,
  orNull,
  ref,
  text,
  time,
  whole,
  type Member,
  type Members,
  type Schema,
} from '../../../../dto/schema';

/** States of long-running work. */
export const runState: Member = [
  oneOf('running', 'done', 'failed', 'cancelled', 'interrupted'),
  'How far the run is; `interrupted`: the process that made it is gone.',
];
export const cancelRequested: Member = [flag, 'Whether cancelling the run was requested.'];
export const runStarted: Member = [time, 'When the run began.'];
export const runEnded: Member = [time, 'When the run ended; absent while it goes on.'];

const backlog: Members = {
  waiting: [count, 'Deliveries that wait; parked ones are left out.'],
  oldest_ms: [number, 'Milliseconds for which the oldest of them has been pending; 0: nothing waits.'],
  late_ms: [number, 'Milliseconds by which the most overdue attempt is late; 0: none is. Paused queues are left out.'],
};
const sealedBy: Members = {
  id: [text, 'Id of the key, from `ENCRYPTION_KEYS`.'],
  values: [count, 'Stored values that the key encrypts.'],
  by_column: [map(count), 'The same by table and column.'],
};
const serviceVersion: Member = [text, 'Version of the service that the process runs.'];

const column = members({
  table: [text, 'Table in the database.'],
  column: [text, 'Column of the table.'],
  seen: [count, 'Values that were read.'],
  resealed: [count, 'Values that were encrypted anew.'],
  current: [count, 'Values that the key encrypted already.'],
  overtaken: [count, 'Values that somebody else wrote meanwhile; they are read again.'],
  unreadable: [count, 'Values that no key opens; they stay as they are.'],
});

/** Schemas about the service itself. */
export const operationShapes: Readonly<Record<string, Schema>> = {
  Instance: object('A process of the service, as it last announced itself.', {
    id: [text, 'Id that the process drew at its start.'],
    version: serviceVersion,
    role: [oneOf('serving', 'worker'), '`serving`: the only process on its machine; `worker`: one of several behind one port.'],
    state: [
      oneOf('serving', 'draining', 'lost', 'left'),
      '`draining`: it was asked to leave; `lost`: it is silent; `left`: it stopped in order.',
    ],
    started_at: [time, 'When the process started.'],
    seen_at: [time, 'When it last announced itself.'],
    silent_ms: [count, 'Milliseconds since it last announced itself.'],
    'drain_requested_at?': [time, 'When an operator requested the drain; absent: none was requested.'],
    'left_at?': [time, 'When it stopped in order; absent before.'],
    event_loop_delay_ms: [
      members({
        p50: [number, 'Delay that half of the measurements stay within, in milliseconds.'],
        p99: [number, 'Delay that 99 of 100 measurements stay within, in milliseconds.'],
        max: [number, 'Longest delay that was measured, in milliseconds.'],
      }),
      'How late due work ran since the announcement before.',
    ],
    pool: [
      members({
        max: [count, 'Connections that the process may open (`DATABASE_POOL`).'],
        open: [count, 'Connections that are open.'],
        in_use: [count, 'Connections that run a statement.'],
        waiting: [count, 'Statements that wait for a connection.'],
      }),
      'Connections to the database.',
    ],
    calls: [count, 'Calls that the process is answering.'],
    shed: [
      members({
        first: [count, 'Calls of the least urgent group that were refused.'],
        next: [count, 'Calls of the middle group that were refused.'],
        last: [count, 'Calls of the most urgent group that were refused.'],
      }),
      'Calls that were refused under overload since the start, by urgency.',
    ],
    memory_bytes: [count, 'Memory of the process in bytes.'],
    processor: [number, 'Share of one core that it used since the announcement before; 1 is a whole core.'],
  }),
  Instances: object('The processes of the service, by id.', {
    data: [list(ref('Instance')), 'Processes that were heard of in the last hour.'],
    next_cursor: [orNull(text), '`cursor` of the page that follows; null: this is the last.'],
    announced_every_ms: [whole, 'Milliseconds between two announcements of a process.'],
    lost_after_ms: [whole, 'Milliseconds of silence after which a process counts as lost.'],
  }),
  Backlog: object('Deliveries that wait, now and before.', {
    now: [
      members({ ...backlog, at_least: [flag, 'Whether counting stopped at 100,000, so that more may wait.'] }),
      'What waits at this moment.',
    ],
    data: [list(members({ at: [time, 'Minute that the numbers are of.'], ...backlog })), 'What waited in the range, oldest first.'],
  }),
  Limits: object('How much of each rate limit is used.', {
    data: [
      list(
        members({
          limit: [text, 'Name of the limit, as in `RATE_LIMITS`.'],
          subjects: [count, 'Callers that were counted in this minute.'],
          busiest: [count, 'Calls of the busiest of them.'],
          reached: [count, 'Callers that have used up the limit.'],
          allowed: [count, 'Calls that the limit allows each of them.'],
        }),
      ),
      'One entry for each limit.',
    ],
    window_s: [whole, 'Length of the time in which calls are counted, in seconds.'],
  }),
  DatabaseState: object('The service and its database.', {
    version: serviceVersion,
    database: [
      members({
        version: [text, 'Version of the PostgreSQL server.'],
        size_bytes: [count, 'Size of the database in bytes.'],
        connections: [count, 'Connections that are open, of all who use the database.'],
        max_connections: [count, 'Connections that the database allows.'],
        audit_trail_protected: [flag, 'Whether the role of the service may read and append audit entries, and nothing else.'],
        migrations: [
          members({
            applied: [list(text), 'Migrations that were applied, oldest first.'],
            pending: [list(text), 'Migrations that this version knows and that were not applied, oldest first.'],
            unknown: [list(text), 'Migrations that a later version has applied.'],
          }),
          'State of the schema, by the names of its migrations.',
        ],
      }),
      'The database as it stands.',
    ],
  }),
  EncryptionKeys: object('The keys that encrypt stored values.', {
    data: [
      list(
        members({
          ...sealedBy,
          first: [flag, 'Whether new values are encrypted with it.'],
          known: [flag, 'Whether the service has the key; without it the values cannot be read.'],
        }),
      ),
      'Keys of the service, and others that still encrypt something.',
    ],
  }),
  Rewrap: object('A run that encrypts every stored value with the first key.', {
    id: [text, 'Id of the run.'],
    state: runState,
    key: [text, 'Id of the key with which everything is encrypted.'],
    cancel_requested: cancelRequested,
    started_at: runStarted,
    'ended_at?': runEnded,
    columns_of: [count, 'Columns that the run has to go through.'],
    seen: [count, 'Values that were read so far in the column under way.'],
    columns: [list(column), 'Columns that the run is through with.'],
    'others?': [list(members(sealedBy)), 'Other keys that still encrypt something; absent until the run has ended.'],
  }),
};

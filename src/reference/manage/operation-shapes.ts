import { count, flag, list, map, members, number, oneOf, orNull, ref, text, time, uri, whole, type Schema } from '../schema';

const verdict = oneOf('passed', 'failed', 'not_run', 'not_applicable');
const runState = oneOf('running', 'done', 'failed', 'cancelled', 'interrupted');
const backlog = { waiting: count, oldest_ms: number, late_ms: number };
const sealed = { id: text, values: count, places: map(count) };
const dials = {
  delay_ms: count,
  error_percent: number,
  malformed_percent: number,
  refused_percent: number,
  hang_percent: number,
};

const run = {
  id: text,
  state: runState,
  role: oneOf('host-app', 'miniapp'),
  client_id: text,
  app_id: text,
  partner: text,
  only: list(text),
  target: text,
  started_at: time,
  'ended_at?': time,
  cancel_asked: flag,
  scenarios: count,
  done: count,
  'stopped?': text,
  score: members({ passed: count, failed: count, not_run: count, not_applicable: count }),
  verdicts: map(verdict),
  kept: count,
};

const clockStep = members({ what: text, 'id?': text, in_s: number });
const clock = { advanced_s: number, under_way: count, 'next?': clockStep };

/** The service itself, runs that take minutes, and the simulated partners of a development service. */
export const operationShapes: Readonly<Record<string, Schema>> = {
  Instance: members({
    id: text,
    version: text,
    role: oneOf('serving', 'worker'),
    state: oneOf('serving', 'draining', 'lost', 'left'),
    started_at: time,
    seen_at: time,
    silent_ms: count,
    'drain_asked_at?': time,
    'left_at?': time,
    event_loop_delay_ms: members({ p50: number, p99: number, max: number }),
    pool: members({ most: count, open: count, in_use: count, waiting: count }),
    calls: count,
    shed: members({ first: count, next: count, last: count }),
    memory_bytes: count,
    processor: number,
  }),
  Instances: members({
    data: list(ref('Instance')),
    next_cursor: orNull(text),
    announced_every_ms: whole,
    lost_after_ms: whole,
  }),
  Backlog: members({ now: members({ ...backlog, at_least: flag }), data: list(members({ at: time, ...backlog })) }),
  Limits: members({
    data: list(members({ limit: text, subjects: count, most: count, reached: count, allowed: count })),
    window_s: whole,
  }),
  DatabaseState: members({
    version: text,
    database: members({
      version: text,
      size_bytes: count,
      connections: count,
      most_connections: count,
      audit_trail_protected: flag,
      migrations: members({ applied: list(text), pending: list(text), unknown: list(text) }),
    }),
  }),
  EncryptionKeys: members({ data: list(members({ ...sealed, first: flag, known: flag })) }),
  Rewrap: members({
    id: text,
    state: runState,
    key: text,
    cancel_asked: flag,
    started_at: time,
    'ended_at?': time,
    columns_of: count,
    seen: count,
    columns: list(
      members({
        table: text,
        column: text,
        seen: count,
        resealed: count,
        current: count,
        overtaken: count,
        unreadable: count,
      }),
    ),
    'others?': list(members(sealed)),
  }),
  ConformanceScenario: members({ id: text, group: text, title: text, sent: text, expected: text, place: text, says: text }),
  ConformanceRun: members(run),
  ConformanceRunWhole: members({
    ...run,
    results: list(members({ id: text, verdict, came: list(text), 'reason?': text, 'fix?': text, ms: number })),
  }),
  Dials: members({ ...dials, 'seed?': whole }),
  DialsInput: members({ ...Object.fromEntries(Object.entries(dials).map(([name, schema]) => [`${name}?`, schema])), 'seed?': whole }),
  SandboxClock: members(clock),
  Sandbox: members({
    available: flag,
    'partners?': list(members({ id: oneOf('host-app', 'miniapp'), url: uri, dials: orNull(ref('Dials')) })),
    'clock?': orNull(ref('SandboxClock')),
    'magic_values?': orNull(members({ data: list(members({ cents: text, name: text, meaning: text })) })),
  }),
  SandboxWalk: members({
    state: oneOf('none', 'running', 'as-expected', 'not-as-expected'),
    client_id: text,
    app_id: text,
    'started_at?': time,
    legs: list(members({ from: text, to: text, call: text, 'status?': whole, ms: number, 'problem?': text, inner: flag })),
  }),
  Wound: members({ advanced_s: number, steps: list(clockStep), clock: ref('SandboxClock') }),
  Upcoming: members({
    now: time,
    under_way: count,
    'next?': members({ what: oneOf('delivery', 'payment'), id: text, at: time, in_s: number }),
  }),
  Advanced: members({ advanced_s: number, deliveries: count, payments: count }),
};

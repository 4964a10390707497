/** A promise, how it is put to the test, and the figure that would break it. */
export interface Promised {
  readonly promise: string;
  readonly test: string;
  readonly target: string;
}

/** What the service promises under faults, by the number under which its runs print their figure. */
export const promises = {
  R1: {
    promise: 'No acknowledged completion is lost by a crash',
    test: '200 completions a second over 2 processes; one of them, by chance, is killed (kill -9) every 2 seconds and started again',
    target: 'lost, altered, invented: 0',
  },
  R2: {
    promise: 'A completion that is delivered twice is known by its id',
    test: 'the same run: webhooks that came more than once',
    target: 'repeated: 0.5 % or less; all with the same id and bytes',
  },
  R3: {
    promise: 'No loss when the database restarts',
    test: 'the database restarted under load, fast and at once, and away for 30 seconds',
    target: 'lost, answers without the Error body: 0; first answer within 3 s of its return',
  },
  R4: {
    promise: 'An answered call is committed',
    test: 'the wire to the database cut at a byte by chance during complete-order',
    target: 'answers without a row: 0',
  },
  pool: {
    promise: 'A full pool is said, and soon over',
    test: 'every connection waits for a lock; further calls; the lock is given up',
    target: 'refused with 503 within 3 s; the next call is served',
  },
  locks: {
    promise: 'Every caller has an answer in time while a table is locked',
    test: 'each table of the calls, and all of them, locked for 20 seconds beside 40 completions a second, creations, sign-ons and readings of the operator',
    target: 'slowest answer: 6 s; answers other than 200, 503 with Retry-After, or an unknown outcome of a creation: 0; lost: 0',
  },
  disk: {
    promise: 'A full disk is said, and over when there is room',
    test: 'the disk of a Postgres, and that of the embedded database, filled under load and freed again',
    target: 'ready: 503 with database-full within 10 s; acknowledged and lost: 0; ready again within 15 s of the room',
  },
  stall: {
    promise: 'What the standby has not confirmed is not acknowledged',
    test: 'a synchronous standby that stands still, as a disk that stalls; waits that somebody cancels',
    target: '503 within 8.5 s; served within 3 s of its return',
  },
  failover: {
    promise: 'No loss when the primary dies',
    test: 'a primary with a synchronous standby killed (kill -9) under load; the address moved, then the standby promoted',
    target: 'lost: 0; first answer within 3 s of the promotion',
  },
  R5: {
    promise: 'What waited for a miniapp is delivered soon after its return',
    test: 'a miniapp away for 10 seconds, 1,000 deliveries pending meanwhile',
    target: 'delivered: all; 99 % within 30 s of its return',
  },
  hanging: {
    promise: 'Endpoints that hang delay nobody else',
    test: '40 webhooks that hang, 3 completions a second each, and one that answers; one process',
    target: 'longest wait of the one that answers: 1 s',
  },
  'clock-deliveries': {
    promise: 'A wrong clock delays no delivery',
    test: 'one instance an hour and 30 days ahead and behind; a delivery that fails there once; the instance ends',
    target: 'the second attempt: when it is due on the published schedule',
  },
  recovery: {
    promise: 'A miniapp that is back has what waited soon, also while new deliveries come',
    test: '120 completions a second and 10 s away, 500 a second and 60 s away, 120 a second and 10 min of 50 % failures; two instances',
    target: 'lost: 0; nothing waits any more 30 s, 60 s and 60 s after its return, while the calls go on',
  },
  order: {
    promise: 'Durable events of one ordering key are received in their order',
    test: '50 keys with an event each 200 ms, sent to either of two instances; the miniapp is away for 60 s, fails half of the time for 60 s, and is back',
    target: 'out of order, missing: 0',
  },
  R6: {
    promise: 'Deliveries are tried on the published schedule for seven days',
    test: 'a miniapp that never receives, its row grown older by each wait; 30 days later looked at again and sent again',
    target: 'tries: 20 or more; waits within 20 % of the schedule: all; then a dead letter that can be sent again',
  },
  R7: {
    promise: 'A partner that behaves badly is reported, in time',
    test: '14 ways to hang, break off, mislead and flood, 100 calls each to a host app and a miniapp that do so; growth of the process from the seventh call of each way on',
    target: 'answers other than the Error body: 0; within the deadline + 0.5 s; growth below 30 MB',
  },
  R8: {
    promise: 'A miniapp that hangs harms no other',
    test: 'one miniapp hangs with 500 deliveries pending; another is pending one after the other',
    target: 'p99 of the other: 1.2 times that without, or less; errors: 0',
  },
  R9: {
    promise: 'An expired user token is refreshed once',
    test: 'payments of one user at once over all processes, all refused with 401; a host app that revokes everything on reuse',
    target: 'refreshes: 1; every payment succeeds',
  },
  R10: {
    promise: 'A refresh that fails signs nobody out',
    test: 'refreshes that in turn are refused, fail, hang, garble or lack a new token; then kill -9 between the host app’s answer and our save',
    target: 'wrong outcomes: 0; signed out: only those killed in between, each with a typed error',
  },
  R11: {
    promise: 'A client access token is fetched once',
    test: 'payments at once over all processes at each expiry of the token',
    target: 'fetches for an expiry: 1; failed payments: 0',
  },
  expiry: {
    promise: 'A client access token is not used when it has expired',
    test: 'a clock that the test sets, three instances in one process: calls at once at times by chance, before and after each expiry',
    target: 'fetches for an expiry: 1; calls with an expired token: 0',
  },
  R12: {
    promise: 'A completion has one effect, however often it comes',
    test: 'each completion 100 times at once over all processes',
    target: 'distinct answers: 1; webhooks: 1',
  },
  R13: {
    promise: 'Of two results one is taken',
    test: 'paid and failed at once for each payment',
    target: 'payments with two outcomes: 0; exactly one of the two is refused',
  },
  R14: {
    promise: 'A completion may overtake its creation',
    test: 'the host app completes up to 200 ms before it answers the creation',
    target: 'refused, lost: 0',
  },
  R15: {
    promise: 'No second charge',
    test: 'the host app’s answer to a creation is dropped; the miniapp asks again up to 5 times with its Idempotency-Key',
    target: 'payments for an order: 1; creations that nobody asked for: 0',
  },
  R16: {
    promise: 'A restart fails no request',
    test: 'SIGTERM to one of 3 processes after the other under load, behind callers that go on to the next where nobody listens',
    target: 'failed: 0; each has ended within 32 s; deliveries that stay claimed: 0',
  },
  workers: {
    promise: 'A serving process that dies is replaced',
    test: 'one of two processes that share a port killed (kill -9) under load, again and again',
    target: 'lost: 0; cut off: only what it was doing',
  },
  R21: {
    promise: 'Nothing secret leaks',
    test: 'marks in every secret, token and user field of the runs of R24 and R31; log, error bodies, tables and other partners’ ledgers searched',
    target: 'found where they do not belong: 0',
  },
  memory: {
    promise: 'A secret that was revoked and pruned is not in the memory of a process',
    test: 'a heap snapshot of a process that has served with the secret, after its revocation',
    target: 'revoked secrets found: 0; the snapshot shows the one in use (or it would prove nothing)',
  },
  R24: {
    promise: 'No call has an effect at another tenant',
    test: '50 tenants, interleaved calls by chance, ids swapped in 30 % of them',
    target: 'answers or calls with another tenant’s mark: 0',
  },
  R25: {
    promise: 'Connections that do nothing harm nobody',
    test: 'idle connections and slow senders held open beside 100 normal calls a second',
    target: 'refused: 0; p99 within twice that before; 20 kB or less for an idle connection',
  },
  R26: {
    promise: 'Excess calls are refused, and the rest is served',
    test: 'completions at 5 times the measured capacity over 2,000 connections, from the same machine',
    target: 'throughput kept: 80 % or more; answers other than 2xx, 429, 503: 0; normal again within 5 s',
  },
  R30: {
    promise: 'Relayed values keep their form',
    test: 'orders by chance and the host app’s answers to them: members in any order, numbers of any length and spelling, escapes',
    target: 'altered: 0 of 10,000',
  },
  R31: {
    promise: 'What one tenant stores harms no other',
    test: 'every string of a hostile corpus in every stored setting, then a call by it and a call by another tenant',
    target: '5xx: 0; other tenants affected: 0',
  },
  R32: {
    promise: 'A backlog is worked off as fast as usual',
    test: '100,000 completions queued, one process started; one payment of ten has two of them',
    target: 'a second: half of the live rate of completions, or more; memory below 200 MB; out of order, missing: 0',
  },
  R33: {
    promise: 'It serves as well after half an hour as in the beginning',
    test: 'half of the measured capacity for 30 minutes, 5 % of it to partners that hang, break off and mislead',
    target:
      'p99 of the last third within 1.1 times that of the first; no growth of memory and handles beyond noise; failed for well-behaved partners: 0',
  },
  R34: {
    promise: 'A schema change fails no request',
    test: 'two processes serve under load while a migration (a column, an index, rows filled) is killed half-way and run again; then one of them is replaced',
    target: 'failed: 0; lost: 0',
  },
  upgrade: {
    promise: 'An upgrade fails no request, nor does the way back',
    test: 'two instances of the version before serve under load behind a balancer that repeats nothing; the new one migrates; each is replaced by the new version, and by the one before again',
    target: 'failed, lost, altered: 0; repeated: 0.5 % or less, all with the same id and bytes',
  },
  polls: {
    promise: 'Status polls catch up at a large host app, and no host app gets more than its cap',
    test: '20,000 payments due at one host app that answers in 100 ms, one in four paid; three instances; one payment a second of another host app',
    target: 'polled: all, each once, within 5 minutes; at most 200 in any second; the other host app within 5 s',
  },
} as const satisfies Record<string, Promised>;

export type PromiseId = keyof typeof promises;

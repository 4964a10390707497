import { linkPurposes } from '../../domain/accounts/account';
import { roles } from '../../domain/accounts/viewer';
import { reportedStatuses } from '../../domain/analytics/transaction-report';
import { causes, outcomes } from '../../domain/figures/outcome';
import { statusOfWord } from '../../domain/payments/order-payment';
import { anyObject, count, day, flag, list, members, number, oneOf, orNull, ref, text, time, uri, whole, type Schema } from '../schema';

const ofRole = { role: oneOf(...roles), 'client_id?': text, 'app_id?': text };
const account = {
  id: text,
  email: text,
  name: text,
  ...ofRole,
  has_password: flag,
  disabled: flag,
  created_at: time,
  'signed_in_at?': time,
};
const sums = { amount: text, shipping: text, tax: text, discount: text };
const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, count]));
const durations = {
  count,
  'p50?': number,
  'p95?': number,
  'p99?': number,
  'mean?': number,
  'platform?': number,
  'host_app?': number,
  'miniapp?': number,
};
const ending = members({
  'outcome?': oneOf(...outcomes),
  'status?': whole,
  'error_code?': text,
  'failed_side?': text,
  'failed_step?': text,
  count,
});
const range = { from: time, to: time };
const slotted = { ...range, slot_s: whole };
const paid = members({ count, amount: text });
const saidOf = (statuses: readonly string[]): Schema =>
  members({ status: oneOf(...statuses), 'amount?': text, 'currency?': text, at: time });

const refreshed = { ok: count, failed: count, shared: count };
const readinessSummary = {
  client_id: text,
  app_id: text,
  status: oneOf('proposed', 'accepted', 'suspended'),
  mode: oneOf('test', 'live'),
  percent: { ...whole, minimum: 0, maximum: 100 },
  to_do: count,
  'next?': members({ id: text, title: text, state: oneOf('missing', 'failing'), detail: text }),
};

/** Accounts, users, reports, figures, problems, readiness, the audit trail. */
export const serviceShapes: Readonly<Record<string, Schema>> = {
  Account: members(account),
  AccountWithLink: members({ ...account, link: ref('OneTimeLink') }),
  OneTimeLink: members({ purpose: oneOf(...linkPurposes), url: uri, expires_at: time }),
  Session: members({
    role: oneOf(...roles),
    app: orNull(text),
    display_name: text,
    view_as: orNull(members({ role: oneOf(...roles), app: orNull(text) })),
    csrf_token: orNull(text),
    account: orNull(ref('Account')),
    session_id: orNull(text),
    environment: oneOf('test', 'live'),
    version: text,
  }),
  OwnSession: members({
    id: text,
    current: flag,
    created_at: time,
    last_seen_at: time,
    expires_at: time,
    address: text,
    user_agent: text,
  }),
  User: members({
    id: text,
    client_id: text,
    reference: text,
    'unreadable?': { const: true },
    'first_sign_on_at?': time,
    'last_sign_on_at?': time,
    'tokens?': members({ stored_at: time, refreshable: flag }),
    consents: list(members({ app_id: text, granted: flag, 'fields?': list(text), 'text_version?': text, at: time })),
  }),
  Removed: members({
    users: count,
    tokens: count,
    consents: count,
    consent_entries: count,
    payments: count,
    reports: count,
    deliveries: count,
    owed_deliveries: count,
  }),
  ReportedTransaction: members({
    id: text,
    transaction_id: text,
    client_id: text,
    app_id: text,
    status: oneOf(...reportedStatuses),
    currency: text,
    amount: text,
    'shipping?': text,
    'tax?': text,
    'discount?': text,
    'order_payment_id?': text,
    'miniapp_order_id?': text,
    at: time,
    received_at: time,
    request_id: text,
  }),
  DailySum: members({ day, client_id: text, app_id: text, currency: text, status: oneOf(...reportedStatuses), count, ...sums }),
  Difference: members({
    kind: oneOf('only_reported', 'only_seen', 'different'),
    order_payment_id: text,
    'transaction_id?': text,
    differs: list(oneOf('amount', 'currency', 'status')),
    'reported?': saidOf(reportedStatuses),
    'seen?': saidOf([...new Set(Object.values(statusOfWord))]),
  }),
  PaidDay: members({ day, currency: text, reported: paid, relayed: paid, difference: text }),
  TrafficSlot: members({ at: time, ...counts }),
  Traffic: members({ ...slotted, data: list(ref('TrafficSlot')) }),
  Durations: members(durations),
  Latency: members({ ...slotted, data: list(members({ at: time, ...durations })), whole: ref('Durations') }),
  Endings: members({ ...slotted, statuses: list(ending), failures: list(ending) }),
  Refusals: members({
    ...slotted,
    data: list(members({ at: time, ...Object.fromEntries(causes.map((cause) => [cause, count])) })),
  }),
  Refreshes: members({ ...slotted, data: list(members({ at: time, user: members(refreshed), client: members(refreshed) })) }),
  CallCounts: members({ ...slotted, data: list(members({ call: text, ...counts })) }),
  Spread: members({ ...slotted, data: list(members({ at: time, from_ms: number, 'to_ms?': number, count })) }),
  PairFigures: members({
    ...{ client_id: text, app_id: text, ...counts, 'p95?': number, host_app_ms: number, miniapp_ms: number, last_at: time },
    series: list(ref('TrafficSlot')),
  }),
  PaymentFigures: members({
    ...range,
    funnel: members({ created: count, accepted: count, final: count, noticed: count }),
    in_process: count,
    overdue: count,
    overdue_after_ms: whole,
    time_to_final: members({
      bars: list(members({ from_ms: whole, 'to_ms?': whole, final: count, overdue: count })),
      'p50_ms?': number,
      'p95_ms?': number,
    }),
  }),
  DeliveryFigures: members({
    ...range,
    attempt_edges: list(whole),
    endpoints: list(
      members({ lane: text, count, delivered: count, failed: count, first_try: count, attempted: count, by_attempts: list(whole) }),
    ),
    'backlog?': members({ depth: count, 'oldest?': time, line: list(members({ at: time, depth: count })) }),
  }),
  Trouble: members({
    error_code: text,
    'failed_side?': text,
    'failed_step?': text,
    'client_id?': text,
    'app_id?': text,
    state: oneOf('open', 'past', 'muted'),
    count,
    first_at: time,
    last_at: time,
    calls: list(text),
    'acts?': text,
    'sentence?': text,
    'next?': text,
    'exchange_id?': text,
    'muted?': members({ by: text, reason: text, at: time }),
  }),
  EndingCredential: members({
    partner_kind: oneOf('host-app', 'miniapp'),
    partner_id: text,
    credential: text,
    which: oneOf('current', 'previous', 'next'),
    fingerprint: text,
    valid_until: time,
    'last_used_at?': time,
  }),
  ReadinessSummary: members(readinessSummary),
  Readiness: members({
    ...readinessSummary,
    'live?': members({ at: time, by: text, 'reason?': text, missing: list(text) }),
    items: list(
      members({
        ...{ id: text, title: text, state: oneOf('done', 'missing', 'failing', 'off'), detail: text, 'at?': time },
        ...{ 'exchange_id?': text, 'payment_id?': text, 'delivery_id?': text },
      }),
    ),
  }),
  AuditEntry: members({
    id: text,
    at: time,
    actor: text,
    action: text,
    subject: text,
    request_id: text,
    'before?': anyObject,
    'after?': anyObject,
    'hash?': text,
  }),
  AuditVerdict: members({
    whole: flag,
    entries: count,
    'last?': members({ id: text, hash: text, 'at?': time }),
    'broken?': members({ id: text, cause: text }),
  }),
  Hit: members({
    kind: oneOf('exchange', 'payment', 'delivery', 'user', 'host_app', 'miniapp'),
    id: text,
    by: text,
    'client_id?': text,
    'app_id?': text,
    'at?': time,
  }),
};

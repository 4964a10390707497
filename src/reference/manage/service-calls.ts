import { pairOrders } from '../../domain/figures/ports';
import { MuteProblemDto, ProblemKeyDto } from '../../adapters/in/http/manage/problem.dto';
import { count, list, members, oneOf, orNull, ref, text, time, whole } from '../schema';
import type { ManageCall, ManageCalls, ManageTag } from './operation';
import { pageOf } from './partner-shapes';
import { accounts, session, users } from './people-calls';
import { conformance, operations, sandbox } from './work-calls';

const pair = { client_id: text, app_id: text };
const window = { from: time, to: time };

const analytics: ManageCalls = {
  'GET /analytics/transactions': {
    ...{ id: 'listTransactions', says: 'List what miniapps reported', who: 'everyone', gives: pageOf('ReportedTransaction') },
    query: { ...pair, status: text, currency: text, transaction_id: text, order_payment_id: text, miniapp_order_id: text, ...window },
  },
  'GET /analytics/summary': {
    ...{ id: 'sumTransactions', says: 'Sum up what was reported, by day, pair, currency and status', who: 'everyone' },
    ...{ query: { ...pair, ...window }, gives: pageOf('DailySum') },
  },
  'GET /analytics/differences': {
    ...{ id: 'listDifferences', says: 'List where reports differ from what was relayed', who: 'everyone', gives: pageOf('Difference') },
    query: { 'client_id!': text, 'app_id!': text, kind: oneOf('only_reported', 'only_seen', 'different'), ...window },
  },
  'GET /analytics/days': {
    ...{ id: 'listPaidDays', says: 'Read what was paid each day, reported and relayed', who: 'everyone', gives: pageOf('PaidDay') },
    more: 'The last 31 days unless asked otherwise, and 31 days at most. `limit` and `cursor` are taken and mean nothing.',
    query: { 'client_id!': text, 'app_id!': text, ...window },
  },
};

const figure = (id: string, says: string, schema: string, more?: string): ManageCall => ({
  ...{ id, says, who: 'everyone', query: { ...pair, call: text, ...window }, gives: ref(schema) },
  ...(more !== undefined && { more }),
});

const figures: ManageCalls = {
  'GET /figures/traffic': figure('getTraffic', 'Count calls by how they ended, over time', 'Traffic'),
  'GET /figures/latency': figure(
    'getLatency',
    'Read how long calls took, over time',
    'Latency',
    'Milliseconds; the shares of the three parties are means.',
  ),
  'GET /figures/errors': figure('getErrors', 'Count statuses and failures', 'Endings'),
  'GET /figures/refusals': figure('getRefusals', 'Count refused calls by their cause, over time', 'Refusals'),
  'GET /figures/refreshes': {
    ...figure('getRefreshes', 'Count refreshes of tokens, over time', 'Refreshes'),
    who: 'host apps',
    more: 'Tokens of users, and those of the service itself (`client`). `shared`: a call took the answer to the refresh of another one.',
  },
  'GET /figures/calls': figure('getCallCounts', 'Count how the calls of each endpoint ended', 'CallCounts'),
  'GET /figures/spread': figure('getSpread', 'Count calls by how long they took, over time', 'Spread'),
  'GET /figures/integrations': {
    ...figure('getPairFigures', 'Compare integrations', 'PairFigures'),
    more: 'Each that had a call in the range, those with the most calls first (`traffic`), with the most that failed (`failures`), or by `client_id`, then `app_id` (`id`). `total` is how many there are; `series` has slots of `series_slot_s`, 31 at most.',
    query: { ...pair, call: text, ...window, order: oneOf(...pairOrders) },
    gives: members({
      ...{ ...window, slot_s: whole, series_slot_s: whole, total: count, data: list(ref('PairFigures')), next_cursor: orNull(text) },
    }),
  },
  'GET /figures/payments': figure('getPaymentFigures', 'Count payments, and how long they took to end', 'PaymentFigures'),
  'GET /figures/deliveries': figure(
    'getDeliveryFigures',
    'Count deliveries of each endpoint',
    'DeliveryFigures',
    'With the backlog, where the range ends now.',
  ),
};

const problems: ManageCalls = {
  'GET /problems': {
    ...figure('listProblems', 'Read failures grouped by their cause, and who has to act', 'Trouble'),
    gives: members({ ...window, data: list(ref('Trouble')) }),
  },
  'POST /problems/mute': { id: 'muteProblem', says: 'Be told no more of a problem', who: 'operator', body: MuteProblemDto },
  'POST /problems/unmute': {
    ...{ id: 'unmuteProblem', says: 'Be told of a problem again', who: 'operator', body: ProblemKeyDto, kinds: ['not-found'] },
  },
  'GET /ending-credentials': {
    ...{ id: 'listEndingCredentials', says: 'List credentials that are not accepted for long any more', who: 'everyone' },
    ...{ query: { days: { ...whole, minimum: 1, maximum: 366 } }, gives: members({ data: list(ref('EndingCredential')) }) },
  },
};

const audit: ManageCalls = {
  'GET /audit': {
    ...{ id: 'listAudit', says: 'List what was changed, by whom, newest first', who: 'everyone', gives: pageOf('AuditEntry') },
    query: { subject: text, action: text, ...window },
  },
  'GET /audit/verify': {
    ...{ id: 'verifyAudit', says: 'Check that the audit trail is as it was written', who: 'operator', gives: ref('AuditVerdict') },
  },
  'GET /live': {
    ...{ id: 'listen', says: 'Be told what changes', who: 'everyone', query: {}, contentType: 'text/event-stream' },
    more: 'Server-sent events named `changed`, their data `{"topics": […]}`: what changed is then read where it is listed. It ends after a minute: come again; after an event named `session-over`, only with another session.',
    gives: text,
  },
};

export const serviceTags: readonly ManageTag[] = [
  { name: 'Problems', says: 'Failures by their cause, and what will end soon.', calls: problems },
  {
    name: 'Figures',
    says: 'Calls, payments and deliveries as numbers. A range is widened to whole slots; both are told. The last 24 hours unless asked otherwise, 31 days at most.',
    calls: figures,
  },
  { name: 'Reports', says: 'What miniapps reported, compared with what was relayed.', calls: analytics },
  { name: 'Users', says: "Host apps' users: masked, exported, forgotten.", calls: users },
  { name: 'Audit', says: 'Who changed what, and what changes now.', calls: audit },
  { name: 'Session', says: 'Who is signed in to the dashboard.', calls: session },
  { name: 'Accounts', says: 'Who may sign in.', calls: accounts },
  { name: 'Operations', says: 'The service itself.', calls: operations },
  { name: 'Conformance', says: 'Runs that drive a partner through the contract.', calls: conformance },
  {
    name: 'Sandbox',
    says: 'The simulated partners and their time. Only where the service runs with them; `GET /sandbox` says whether it does.',
    calls: sandbox,
  },
];

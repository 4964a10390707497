import { pairOrders } from '../../domain/figures/ports';
import { MuteProblemDto, ProblemKeyDto } from '../../adapters/in/http/manage/exchanges/problem.dto';
import { count, list, object, oneOf, orNull, ref, described, text, whole, type Member, type Members } from '../../adapters/dto/schema';
import { range, slotLength } from './shapes/figure-shapes';
import { pairFilters, rangeFilters } from './filters';
import { analyticsCalls } from '../../adapters/in/http/manage/analytics/analytics-calls';
import { auditCalls } from '../../adapters/in/http/manage/audit/audit-calls';
import { fromTable } from './from-table';
import type { ManageCall, ManageCalls, ManageTag } from './operation';
import { accountCalls } from '../../adapters/in/http/manage/accounts/account-calls';
import { sessionCalls } from '../../adapters/in/http/manage/accounts/session-calls';
import { userCalls } from '../../adapters/in/http/manage/users/users-calls';
import { conformance, operations, sandbox } from './work-calls';

const onlyCall: Members = { call: [text, 'Only calls of the endpoint with this short name, such as `connect`.'] };

const figure = (id: string, summary: string, schema: string, more: string): ManageCall => ({
  ...{ id, summary, who: 'everyone', query: { ...pairFilters, ...onlyCall, ...rangeFilters }, gives: ref(schema), more },
});

const comparisonDetails =
  'Each that had a call in the range, those with the most calls first (`traffic`), with the most that failed (`failures`), or by `client_id`, then `app_id` (`id`). `total` is how many there are; `series` has slots of `series_slot_s`, 31 at most.';

const figures: ManageCalls = {
  'GET /figures/traffic': figure(
    'getTraffic',
    'Count calls by how they ended, over time',
    'Traffic',
    'Records of a second ago are counted already.',
  ),
  'GET /figures/latency': figure(
    'getLatency',
    'Read how long calls took, over time',
    'Latency',
    'Milliseconds; the shares of the three parties are means.',
  ),
  'GET /figures/errors': figure('getErrors', 'Count statuses and failures', 'Endings', 'Counts failures by code, party and step.'),
  'GET /figures/refusals': figure(
    'getRefusals',
    'Count refused calls by their cause, over time',
    'Refusals',
    'Calls that the service refused, not those that failed at a partner.',
  ),
  'GET /figures/refreshes': {
    ...figure(
      'getRefreshes',
      'Count refreshes of tokens, over time',
      'Refreshes',
      'Tokens of users, and those of the service itself (`client`). `shared`: a call took the answer to the refresh of another one.',
    ),
    who: 'host apps',
  },
  'GET /figures/calls': figure(
    'getCallCounts',
    'Count how the calls of each endpoint ended',
    'CallCounts',
    'Endpoints that were not called are left out.',
  ),
  'GET /figures/spread': figure(
    'getSpread',
    'Count calls by how long they took, over time',
    'Spread',
    'Each count is of one slot and one range of durations.',
  ),
  'GET /figures/integrations': {
    ...figure('getPairFigures', 'Compare integrations', 'PairFigures', comparisonDetails),
    query: { ...pairFilters, ...onlyCall, ...rangeFilters, order: [oneOf(...pairOrders), 'Order of the entries; `traffic` unless given.'] },
    gives: object('Integrations with their calls in the range.', {
      ...range,
      slot_s: slotLength,
      series_slot_s: [whole, 'Length of a slot of `series` in seconds.'],
      total: [count, 'Integrations on all pages together.'],
      data: [list(ref('PairFigures')), 'One entry for each integration that had a call.'],
      next_cursor: [orNull(text), '`cursor` of the page that follows; null: this is the last.'],
    }),
  },
  'GET /figures/payments': figure(
    'getPaymentFigures',
    'Count payments, and how long they took to end',
    'PaymentFigures',
    'Payments that were asked for in the range.',
  ),
  'GET /figures/deliveries': figure(
    'getDeliveryFigures',
    'Count deliveries of each endpoint',
    'DeliveryFigures',
    'With the backlog, where the range ends now.',
  ),
};

const problemDetails = 'A problem is one code, party and step at one integration. Muted ones come last.';
const daysAhead: Member = [{ ...whole, minimum: 1, maximum: 366, default: 14 }, 'How many days to look ahead.'];
const endingList = object('Values that end soon.', {
  data: [list(ref('EndingCredential')), 'The values, those that end first before the others.'],
});
const muteDetails = 'It stays in the list as muted, and counts no more as open.';

const problems: ManageCalls = {
  'GET /problems': {
    ...figure('listProblems', 'Read failures grouped by their cause, and who has to act', 'Trouble', problemDetails),
    gives: object('The problems of the range.', {
      ...range,
      data: [list(ref('Trouble')), 'Open problems first, then by the number of calls; at most 50.'],
    }),
  },
  'POST /problems/mute': {
    id: 'muteProblem',
    summary: 'Be told no more of a problem',
    who: 'operator',
    body: MuteProblemDto,
    more: muteDetails,
  },
  'POST /problems/unmute': {
    ...{ id: 'unmuteProblem', summary: 'Be told of a problem again', who: 'operator', body: ProblemKeyDto, kinds: ['not-found'] },
    more: '404 where the problem is not muted.',
  },
  'GET /ending-credentials': {
    ...{ id: 'listEndingCredentials', summary: 'List credentials that are not accepted for long any more', who: 'everyone' },
    more: 'Values that are still accepted and will not be within `days`.',
    ...{ query: { days: daysAhead }, gives: endingList },
  },
};

const audit: ManageCalls = {
  ...fromTable(auditCalls),
  'GET /live': {
    ...{ id: 'listen', summary: 'Be told what changes', who: 'everyone', query: {}, contentType: 'text/event-stream' },
    more: 'Server-sent events named `changed`, their data `{"topics": […]}`: what changed is then read where it is listed. It ends after a minute: come again; after an event named `session-over`, only with another session.',
    gives: described('A stream of events.', text),
  },
};

export const serviceTags: readonly ManageTag[] = [
  { name: 'Problems', description: 'Failures by their cause, and what will end soon.', calls: problems },
  {
    name: 'Figures',
    description:
      'Calls, payments and deliveries as numbers. A range is widened to whole slots; `from` and `to` of the answer show the widened range. The last 24 hours unless asked otherwise, 31 days at most.',
    calls: figures,
  },
  { name: 'Reports', description: 'What miniapps reported, compared with what was relayed.', calls: fromTable(analyticsCalls) },
  { name: 'Users', description: "Host apps' users: masked, exported, forgotten.", calls: fromTable(userCalls) },
  { name: 'Audit', description: 'Who changed what, and what changes now.', calls: audit },
  { name: 'Session', description: 'Who is signed in to the dashboard.', calls: fromTable(sessionCalls) },
  { name: 'Accounts', description: 'The people who may sign in.', calls: fromTable(accountCalls) },
  { name: 'Operations', description: 'Processes, backlog, limits, database and keys of the service.', calls: operations },
  { name: 'Conformance', description: 'Runs that drive a partner through the contract.', calls: conformance },
  {
    name: 'Sandbox',
    description: 'The simulated partners and their time. Only where the service runs with them; `GET /sandbox` says whether it does.',
    calls: sandbox,
  },
];

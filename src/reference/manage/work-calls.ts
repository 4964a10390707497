import { AdvanceTimeDto } from '../../adapters/in/http/manage/sandbox/advance-time.dto';
import { ConformanceDto } from '../../adapters/in/http/manage/conformance/conformance.dto';
import { MaybeReasonDto } from '../../adapters/in/http/manage/http/reason.dto';
import { reportForms } from '../../domain/conformance/ports';
import {
  anything,
  flag,
  members,
  number,
  object,
  oneOf,
  ref,
  described,
  text,
  whole,
  type Member,
  type Members,
  type Schema,
  pageOf,
} from '../../adapters/dto/schema';
import { bothPartners, rangeFilters } from './filters';
import { page } from './manage-members';
import type { ManageCalls } from './operation';

export const operations: ManageCalls = {
  'GET /operations/instances': {
    id: 'listInstances',
    summary: 'List the processes that serve',
    more: 'Those of all machines that use the same database.',
    who: 'operator',
    query: page,
    gives: ref('Instances'),
  },
  'GET /operations/instances/{id}': {
    ...{ id: 'getInstance', summary: 'Read how a process stands', who: 'operator', gives: ref('Instance') },
    more: 'As it announced itself last, every five seconds.',
  },
  'POST /operations/instances/{id}/drain': {
    ...{ id: 'drainInstance', summary: 'Have a process leave in order', who: 'operator', body: MaybeReasonDto, bodyOptional: true },
    more: 'It takes no new calls, ends those that it has, and exits; whoever runs the service starts another.',
    ...{ gives: ref('Instance'), status: 202 },
  },
  'GET /operations/backlog': {
    id: 'getBacklog',
    summary: 'Read what waits, now and before',
    more: 'Deliveries of all endpoints, minute by minute, thinned out over long ranges.',
    who: 'operator',
    query: paged(rangeFilters),
    gives: ref('Backlog'),
  },
  'GET /operations/limits': {
    id: 'getLimits',
    summary: 'Read how much of the limits is used',
    more: 'The present minute, over all processes.',
    who: 'operator',
    gives: ref('Limits'),
  },
  'GET /operations/database': {
    id: 'getDatabase',
    summary: 'Read how the database stands',
    more: 'Size, connections and migrations. No row is shown.',
    who: 'operator',
    gives: ref('DatabaseState'),
  },
  'GET /encryption-keys': {
    id: 'listKeys',
    summary: 'List the keys that encrypt what is stored',
    more: 'It counts the values of every table and opens none. No key is shown.',
    who: 'operator',
    gives: ref('EncryptionKeys'),
  },
  'GET /encryption-keys/rewraps': {
    id: 'listRewraps',
    summary: 'List runs that encrypt anew',
    more: 'Newest first, the last 20.',
    who: 'operator',
    query: {},
    gives: pageOf('Rewrap'),
  },
  'POST /encryption-keys/rewraps': {
    ...{ id: 'startRewrap', summary: 'Encrypt everything with the first key', who: 'operator', body: MaybeReasonDto, bodyOptional: true },
    more: 'The service goes on serving meanwhile. 409 while another run goes on.',
    ...{ gives: ref('Rewrap'), status: 202, kinds: ['conflict'] },
  },
  'GET /encryption-keys/rewraps/{id}': {
    ...{ id: 'getRewrap', summary: 'Read how far a run is', who: 'operator', gives: ref('Rewrap') },
    more: 'Column by column, with what could not be read.',
  },
  'POST /encryption-keys/rewraps/{id}/cancel': {
    id: 'cancelRewrap',
    summary: 'Cancel a run; one that has ended stays as it is',
    more: 'What was encrypted anew stays so; another run takes up the rest.',
    who: 'operator',
    gives: ref('Rewrap'),
  },
};

const scenariosOf: Member = [oneOf('host-app', 'miniapp'), 'Only scenarios for this kind of partner.'];
const runsOf: Members = {
  client_id: [text, 'Only runs of the host app with this Client ID; not beside `app_id`.'],
  app_id: [text, 'Only runs of the miniapp with this App ID; not beside `client_id`.'],
};
const reportForm: Member = [oneOf(...reportForms), 'Form of the report; `json` unless given.'];

export const conformance: ManageCalls = {
  'GET /conformance/scenarios': {
    ...{ id: 'listScenarios', summary: 'List what a partner is asked', who: 'everyone', query: { role: scenariosOf } },
    more: 'With the lines of the contract that say so.',
    gives: pageOf('ConformanceScenario'),
  },
  'GET /conformance/runs': {
    ...{ id: 'listConformanceRuns', summary: 'List runs, newest first', who: 'everyone', query: runsOf, gives: pageOf('ConformanceRun') },
    more: 'A partner sees its own; the operator names a partner, or sees the runs of all.',
  },
  'POST /conformance/runs': {
    ...{ id: 'startConformanceRun', summary: "Drive a partner's endpoints through the contract", who: 'everyone', body: ConformanceDto },
    more: 'It makes real calls. A partner may have itself driven, and no other.',
    ...{ gives: ref('ConformanceRun'), status: 202, kinds: ['conflict', 'not-found'] },
  },
  'GET /conformance/runs/{id}': {
    id: 'getConformanceRun',
    summary: 'Read a run with its results',
    more: 'Also while it goes on, with the results so far.',
    who: 'everyone',
    gives: ref('ConformanceRunWhole'),
  },
  'POST /conformance/runs/{id}/cancel': {
    id: 'cancelConformanceRun',
    summary: 'Cancel a run; one that has ended stays as it is',
    more: 'It ends after the scenario under way; results so far stay.',
    who: 'everyone',
    gives: ref('ConformanceRun'),
  },
  'GET /conformance/runs/{id}/report': {
    ...{ id: 'getConformanceReport', summary: 'Get the report of a run', who: 'everyone', query: paged({ form: reportForm }) },
    more: 'As JSON, JUnit XML, an HTML page or a badge.',
    ...{ gives: described('The report in the form that was asked for.', anything), contentType: '*/*' },
  },
};

export const sandbox: ManageCalls = {
  'GET /sandbox': {
    id: 'getSandbox',
    summary: 'See whether there are simulated partners, and how they are set',
    more: 'In production there are none, and this says so.',
    who: 'operator',
    gives: ref('Sandbox'),
  },
  'PUT /sandbox/partners/{partner}/dials': {
    ...{ id: 'setDials', summary: 'Set the faults of a simulated partner', who: 'operator', body: ref('DialsInput'), gives: ref('Dials') },
    more: 'They hold from the next call on until they are set again.',
    kinds: ['conflict'],
  },
  'POST /sandbox/reset': {
    id: 'resetSandbox',
    summary: 'Have the simulated partners forget everything',
    more: 'What the two keep is gone, and they make no faults; the records of the service stay.',
    who: 'operator',
    gives: object('The receipt of the reset.', { reset: [flag, 'Always true: both have forgotten.'] }),
    kinds: ['conflict'],
  },
  'GET /sandbox/demo': {
    ...{ id: 'getDemoRun', summary: 'Read how the last demo run went', who: 'operator', gives: ref('SandboxDemoRun') },
    more: 'Also while it goes on, with the calls so far.',
  },
  'POST /sandbox/demo': {
    ...{
      id: 'startDemoRun',
      summary: 'Make every call with the simulated partners',
      more: 'A sign-on, a payment and an event. 409 while another demo run goes on.',
      who: 'operator',
      gives: ref('SandboxDemoRun'),
      query: { part: [oneOf('sign-on', 'payment', 'event'), 'Part of the demo run that is made alone; absent: all of it.'] },
      status: 202,
    },
    kinds: ['conflict'],
  },
  'POST /sandbox/wind': {
    ...{ id: 'windClock', summary: "Let time pass for the sandbox's integrations", who: 'operator', body: windBody(), gives: ref('Wound') },
    more: 'By some seconds, or up to the next step that is due. Deliveries and status polls then happen as if the time had passed.',
    kinds: ['conflict'],
  },
  'GET /sandbox/clock': {
    ...{ id: 'getUpcoming', summary: 'Read what comes next for an integration', who: 'operator', gives: ref('Upcoming') },
    more: 'Attempts at deliveries and status polls, of the integration alone.',
    ...{ query: paged(bothPartners), kinds: ['not-found'] },
  },
  'POST /sandbox/advance': {
    ...{ id: 'advanceTime', summary: 'Let time pass for one integration', who: 'operator', body: AdvanceTimeDto, gives: ref('Advanced') },
    more: 'What waits for the integration is brought nearer; the clock of the service is not moved.',
    kinds: ['not-found'],
  },
};

function windBody(): Schema {
  const either = {
    'seconds?': [{ ...number, minimum: 0.001 }, 'Seconds that shall pass.'],
    'to?': [oneOf('next'), '`next`: as much time as the next step needs.'],
  } satisfies Members;
  return { ...members(either), minProperties: 1, maxProperties: 1 };
}

/** This call accepts paging parameters but returns everything at once. */
function paged(query: Members): Members {
  return {
    ...query,
    limit: [whole, 'Accepted as at every list; one page holds everything.'],
    cursor: [text, 'Accepted as at every list; there is no second page.'],
  };
}

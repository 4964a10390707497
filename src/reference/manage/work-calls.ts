import { AdvanceTimeDto } from '../../adapters/in/http/manage/advance-time.dto';
import { ConformanceDto } from '../../adapters/in/http/manage/conformance.dto';
import { MaybeReasonDto } from '../../adapters/in/http/manage/reason.dto';
import { reportForms } from '../../domain/conformance/ports';
import { anything, flag, members, number, oneOf, ref, text, time, whole, type Schema } from '../schema';
import type { ManageCalls } from './operation';
import { pageOf } from './partner-shapes';

const pair = { client_id: text, app_id: text };
const window = { from: time, to: time };

export const operations: ManageCalls = {
  'GET /operations/instances': {
    id: 'listInstances',
    says: 'List the processes that serve',
    who: 'operator',
    query: {},
    gives: ref('Instances'),
  },
  'GET /operations/instances/{id}': { id: 'getInstance', says: 'Read how a process stands', who: 'operator', gives: ref('Instance') },
  'POST /operations/instances/{id}/drain': {
    ...{ id: 'drainInstance', says: 'Have a process leave in order', who: 'operator', body: MaybeReasonDto, bodyOptional: true },
    ...{ gives: ref('Instance'), status: 202 },
  },
  'GET /operations/backlog': {
    id: 'getBacklog',
    says: 'Read what waits, now and before',
    who: 'operator',
    query: paged(window),
    gives: ref('Backlog'),
  },
  'GET /operations/limits': {
    id: 'getLimits',
    says: 'Read how much of the limits is used',
    who: 'operator',
    query: paged({}),
    gives: ref('Limits'),
  },
  'GET /operations/database': {
    id: 'getDatabase',
    says: 'Read how the database stands',
    who: 'operator',
    query: paged({}),
    gives: ref('DatabaseState'),
  },
  'GET /encryption-keys': {
    id: 'listKeys',
    says: 'List the keys that seal what is stored',
    who: 'operator',
    query: paged({}),
    gives: ref('EncryptionKeys'),
  },
  'GET /encryption-keys/rewraps': {
    id: 'listRewraps',
    says: 'List runs of sealing anew',
    who: 'operator',
    query: {},
    gives: pageOf('Rewrap'),
  },
  'POST /encryption-keys/rewraps': {
    ...{ id: 'startRewrap', says: 'Seal everything under the first key', who: 'operator', body: MaybeReasonDto, bodyOptional: true },
    ...{ gives: ref('Rewrap'), status: 202, kinds: ['conflict'] },
  },
  'GET /encryption-keys/rewraps/{id}': { id: 'getRewrap', says: 'Read how far a run is', who: 'operator', gives: ref('Rewrap') },
  'POST /encryption-keys/rewraps/{id}/cancel': {
    id: 'cancelRewrap',
    says: 'Cancel a run; one that has ended stays as it is',
    who: 'operator',
    gives: ref('Rewrap'),
  },
};

export const conformance: ManageCalls = {
  'GET /conformance/scenarios': {
    ...{ id: 'listScenarios', says: 'List what a partner is asked', who: 'everyone', query: { role: oneOf('host-app', 'miniapp') } },
    gives: pageOf('ConformanceScenario'),
  },
  'GET /conformance/runs': {
    ...{ id: 'listConformanceRuns', says: 'List runs, newest first', who: 'everyone', query: pair, gives: pageOf('ConformanceRun') },
  },
  'POST /conformance/runs': {
    ...{ id: 'startConformanceRun', says: "Drive a partner's endpoints through the contract", who: 'everyone', body: ConformanceDto },
    more: 'It makes real calls. A partner may have itself driven, and no other.',
    ...{ gives: ref('ConformanceRun'), status: 202, kinds: ['conflict', 'not-found'] },
  },
  'GET /conformance/runs/{id}': {
    id: 'getConformanceRun',
    says: 'Read a run with its results',
    who: 'everyone',
    gives: ref('ConformanceRunWhole'),
  },
  'POST /conformance/runs/{id}/cancel': {
    id: 'cancelConformanceRun',
    says: 'Cancel a run; one that has ended stays as it is',
    who: 'everyone',
    gives: ref('ConformanceRun'),
  },
  'GET /conformance/runs/{id}/report': {
    ...{ id: 'getConformanceReport', says: 'Get the report of a run', who: 'everyone', query: paged({ form: oneOf(...reportForms) }) },
    more: 'As JSON, JUnit XML, an HTML page or a badge.',
    ...{ gives: anything, contentType: '*/*' },
  },
};

export const sandbox: ManageCalls = {
  'GET /sandbox': {
    id: 'getSandbox',
    says: 'See whether there are simulated partners, and how they are set',
    who: 'operator',
    query: paged({}),
    gives: ref('Sandbox'),
  },
  'PUT /sandbox/partners/{partner}/dials': {
    ...{ id: 'setDials', says: 'Set the faults of a simulated partner', who: 'operator', body: ref('DialsInput'), gives: ref('Dials') },
    kinds: ['conflict'],
  },
  'POST /sandbox/reset': {
    id: 'resetSandbox',
    says: 'Have the simulated partners forget everything',
    who: 'operator',
    gives: members({ reset: flag }),
    kinds: ['conflict'],
  },
  'GET /sandbox/walk': { id: 'getWalk', says: 'Read how the last walk went', who: 'operator', gives: ref('SandboxWalk') },
  'POST /sandbox/walk': {
    ...{
      id: 'startWalk',
      says: 'Walk through every call with the simulated partners',
      who: 'operator',
      gives: ref('SandboxWalk'),
      query: { part: oneOf('sign-on', 'payment', 'event') },
      status: 202,
    },
    kinds: ['conflict'],
  },
  'POST /sandbox/wind': {
    ...{ id: 'windClock', says: "Let time pass for the sandbox's integrations", who: 'operator', body: windBody(), gives: ref('Wound') },
    kinds: ['conflict'],
  },
  'GET /sandbox/clock': {
    ...{ id: 'getUpcoming', says: 'Read what comes next for an integration', who: 'operator', gives: ref('Upcoming') },
    ...{ query: paged({ 'client_id!': text, 'app_id!': text }), kinds: ['not-found'] },
  },
  'POST /sandbox/advance': {
    ...{ id: 'advanceTime', says: 'Let time pass for one integration', who: 'operator', body: AdvanceTimeDto, gives: ref('Advanced') },
    kinds: ['not-found'],
  },
};

function windBody(): Schema {
  return { type: 'object', properties: { seconds: { ...number, minimum: 0.001 }, to: oneOf('next') }, minProperties: 1, maxProperties: 1 };
}

/** These take the parameters of a page too, and give no pages. */
function paged(query: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return { ...query, limit: whole, cursor: text };
}

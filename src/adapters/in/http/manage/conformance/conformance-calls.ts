import { reportForms } from '../../../../../domain/conformance/ports';
import { anything, described, pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { onePage, oneOf, word } from '../http/query';
import { ConformanceDto, roles } from './conformance.dto';

/** Runs that drive a partner through the contract. A partner may have itself driven. */
export const conformanceCalls = {
  scenarios: {
    at: 'GET /conformance/scenarios',
    ...{ id: 'listScenarios', summary: 'List what a partner is asked', who: 'everyone' },
    more: 'With the lines of the contract that say so.',
    filters: { role: oneOf(roles, 'Only scenarios for this kind of partner.') },
    gives: pageOf('ConformanceScenario'),
  },
  list: {
    at: 'GET /conformance/runs',
    ...{ id: 'listConformanceRuns', summary: 'List runs, newest first', who: 'everyone', gives: pageOf('ConformanceRun') },
    more: 'A partner sees its own; the operator names a partner, or sees the runs of all.',
    filters: {
      client_id: word('Only runs of the host app with this Client ID; not beside `app_id`.'),
      app_id: word('Only runs of the miniapp with this App ID; not beside `client_id`.'),
    },
  },
  start: {
    at: 'POST /conformance/runs',
    ...{ id: 'startConformanceRun', summary: "Drive a partner's endpoints through the contract", who: 'everyone', body: ConformanceDto },
    more: 'It makes real calls. A partner may have itself driven, and no other.',
    ...{ gives: ref('ConformanceRun'), status: 202, kinds: ['conflict', 'not-found'] },
  },
  get: {
    at: 'GET /conformance/runs/{id}',
    ...{ id: 'getConformanceRun', summary: 'Read a run with its results', who: 'everyone', gives: ref('ConformanceRunWhole') },
    more: 'Also while it goes on, with the results so far.',
  },
  cancel: {
    at: 'POST /conformance/runs/{id}/cancel',
    ...{ id: 'cancelConformanceRun', summary: 'Cancel a run; one that has ended stays as it is', who: 'everyone' },
    more: 'It ends after the scenario under way; results so far stay.',
    gives: ref('ConformanceRun'),
  },
  report: {
    at: 'GET /conformance/runs/{id}/report',
    ...{ id: 'getConformanceReport', summary: 'Get the report of a run', who: 'everyone' },
    more: 'As JSON, JUnit XML, an HTML page or a badge.',
    query: onePage({ form: oneOf(reportForms, 'Form of the report; `json` unless given.') }),
    ...{ gives: described('The report in the form that was asked for.', anything), contentType: '*/*' },
  },
} satisfies Calls;

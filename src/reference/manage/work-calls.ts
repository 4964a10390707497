import { AdvanceTimeDto } from '../../adapters/in/http/manage/sandbox/advance-time.dto';
import { flag, members, number, object, oneOf, ref, text, whole, type Members, type Schema } from '../../adapters/dto/schema';
import { bothPartners } from './filters';
import type { ManageCalls } from './operation';

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

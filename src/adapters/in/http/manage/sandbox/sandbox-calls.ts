import { flag, members, number, object, oneOf as schemaOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { bothPartners } from '../http/filters';
import { onePage, oneOf } from '../http/query';
import { AdvanceTimeDto } from './advance-time.dto';

/** Whether there are simulated partners. */
export const sandboxCalls = {
  show: {
    at: 'GET /sandbox',
    ...{ id: 'getSandbox', summary: 'See whether there are simulated partners, and how they are set', who: 'operator' },
    more: 'In production there are none, and this says so.',
    gives: ref('Sandbox'),
  },
} satisfies Calls;

const parts = ['sign-on', 'payment', 'event'] as const;
const windBody = {
  ...members({
    'seconds?': [{ ...number, minimum: 0.001 }, 'Seconds that shall pass.'],
    'to?': [schemaOf('next'), '`next`: as much time as the next step needs.'],
  }),
  minProperties: 1,
  maxProperties: 1,
};

/** What the operator does with the simulated partners. */
export const simulatorCalls = {
  setDials: {
    at: 'PUT /sandbox/partners/{partner}/dials',
    ...{ id: 'setDials', summary: 'Set the faults of a simulated partner', who: 'operator', body: ref('DialsInput'), gives: ref('Dials') },
    more: 'They hold from the next call on until they are set again.',
    kinds: ['conflict'],
  },
  reset: {
    at: 'POST /sandbox/reset',
    ...{ id: 'resetSandbox', summary: 'Have the simulated partners forget everything', who: 'operator', kinds: ['conflict'] },
    more: 'What the two keep is gone, and they make no faults; the records of the service stay.',
    gives: object('The receipt of the reset.', { reset: [flag, 'Always true: both have forgotten.'] }),
  },
  getDemo: {
    at: 'GET /sandbox/demo',
    ...{ id: 'getDemoRun', summary: 'Read how the last demo run went', who: 'operator', gives: ref('SandboxDemoRun') },
    more: 'Also while it goes on, with the calls so far.',
  },
  startDemo: {
    at: 'POST /sandbox/demo',
    ...{ id: 'startDemoRun', summary: 'Make every call with the simulated partners', who: 'operator' },
    more: 'A sign-on, a payment and an event. 409 while another demo run goes on.',
    query: { part: oneOf(parts, 'Part of the demo run that is made alone; absent: all of it.') },
    ...{ gives: ref('SandboxDemoRun'), status: 202, kinds: ['conflict'] },
  },
  wind: {
    at: 'POST /sandbox/wind',
    ...{ id: 'windClock', summary: "Let time pass for the sandbox's integrations", who: 'operator', body: windBody, gives: ref('Wound') },
    more: 'By some seconds, or up to the next step that is due. Deliveries and status polls then happen as if the time had passed.',
    kinds: ['conflict'],
  },
} satisfies Calls;

/** Time that passes for one integration. */
export const timeCalls = {
  upcoming: {
    at: 'GET /sandbox/clock',
    ...{ id: 'getUpcoming', summary: 'Read what comes next for an integration', who: 'operator', gives: ref('Upcoming') },
    more: 'Attempts at deliveries and status polls, of the integration alone.',
    ...{ query: onePage(bothPartners), kinds: ['not-found'] },
  },
  advance: {
    at: 'POST /sandbox/advance',
    ...{ id: 'advanceTime', summary: 'Let time pass for one integration', who: 'operator', body: AdvanceTimeDto, gives: ref('Advanced') },
    more: 'What waits for the integration is brought nearer; the clock of the service is not moved.',
    kinds: ['not-found'],
  },
} satisfies Calls;

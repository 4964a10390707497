import {
  count,
  flag,
  list,
  members,
  number,
  object,
  oneOf,
  orNull,
  ref,
  text,
  time,
  uri,
  whole,
  type Member,
  type Members,
  type Schema,
} from '../../../../dto/schema';
import { pair } from '../../../../dto/shared-members';

const dials: Members = {
  delay_ms: [count, 'Milliseconds that each call waits before anything else, at most 60000.'],
  error_percent: [number, 'Calls of a hundred that are answered with 500.'],
  malformed_percent: [number, 'Calls of a hundred that are answered with 200 and JSON that breaks off.'],
  refused_percent: [number, 'Calls of a hundred that are answered with 401, whatever their credentials.'],
  hang_percent: [number, 'Calls of a hundred that are never answered.'],
};
const seed: Member = [whole, 'Number that makes the same calls meet the same faults in the same order; absent: faults fall by chance.'];

const clockStep = members({
  what: [text, 'Sort of step: an attempt at a delivery, a status poll, or a report of the simulated host app.'],
  'id?': [text, 'Delivery or payment that the step belongs to; absent of a report.'],
  in_s: [number, 'Seconds from now, or from the begin of the advance for a step that was taken.'],
});

const demoLeg = members({
  from: [text, 'Party that made the call.'],
  to: [text, 'Party that was called.'],
  call: [text, 'Purpose of the call in a few words.'],
  'status?': [whole, 'HTTP status of the answer; absent where none came.'],
  ms: [number, 'Duration of the call in milliseconds.'],
  'problem?': [text, 'What was not as expected; absent where all was.'],
  inner: [flag, 'Whether the call was part of the one before it.'],
});

const magicValues = members({
  data: [
    list(
      members({
        cents: [text, 'Last two digits of an amount, such as `13`.'],
        name: [text, 'Short name of what the payment then does.'],
        meaning: [text, 'What the payment then does, in one sentence.'],
      }),
    ),
    'One entry for each value of the cents that has a meaning.',
  ],
});

/** Schemas of the simulated partners of a development service. */
export const sandboxShapes: Readonly<Record<string, Schema>> = {
  Dials: object('Faults that a simulated partner makes.', { ...dials, 'seed?': seed }),
  DialsInput: object('Faults that a simulated partner shall make; one that is absent is not made.', {
    ...Object.fromEntries(Object.entries(dials).map(([name, member]) => [`${name}?`, member])),
    'seed?': seed,
  }),
  SandboxClock: object('The clock of the simulated partners.', {
    advanced_s: [number, 'Seconds by which it was advanced since the start.'],
    in_flight: [count, 'Attempts and status polls that are being made.'],
    'next?': [clockStep, 'Next step that is due; absent where nothing waits.'],
  }),
  Sandbox: object('Whether there are simulated partners, and how they are set.', {
    available: [flag, 'Whether the simulated partners run; if not, nothing else is here.'],
    'partners?': [
      list(
        members({
          id: [oneOf('host-app', 'miniapp'), 'Which of the two it is.'],
          url: [uri, 'Address of its page for a browser on the same machine.'],
          dials: [orNull(ref('Dials')), 'Faults that it makes; null where it does not answer.'],
        }),
      ),
      'The two simulated partners.',
    ],
    'clock?': [orNull(ref('SandboxClock')), 'Clock of the simulated partners; null where they do not answer.'],
    'magic_values?': [orNull(magicValues), 'What the cents of an amount make of a payment; null where the partners do not answer.'],
  }),
  SandboxDemoRun: object('The last demo run through every call.', {
    state: [oneOf('none', 'running', 'as-expected', 'not-as-expected'), 'How the run went; `none`: there was none.'],
    ...pair,
    'started_at?': [time, 'When the run began; absent where there was none.'],
    legs: [list(demoLeg), 'Calls of the run, in order.'],
  }),
  Wound: object('How far the clock was advanced, and what fell due.', {
    advanced_s: [number, 'Seconds by which it was advanced; fewer than asked for where too many steps fell due.'],
    steps: [list(clockStep), 'Steps that fell due on the way, in order.'],
    clock: [ref('SandboxClock'), 'The clock after the advance.'],
  }),
  Upcoming: object('What comes next for one integration.', {
    now: [time, 'Time of the service.'],
    in_flight: [count, 'Attempts and status polls that are being made.'],
    'next?': [
      members({
        what: [oneOf('delivery', 'payment'), 'An attempt at a delivery, or a status status poll of a payment.'],
        id: [text, 'Delivery or payment that the step belongs to.'],
        at: [time, 'When the step is due; in the past where it is late.'],
        in_s: [number, 'Seconds until then; below 0 where it is late.'],
      }),
      'Next step of what is not under way; absent where nothing waits.',
    ],
  }),
  Advanced: object('What was brought nearer for one integration.', {
    advanced_s: [number, 'Seconds that passed for it.'],
    deliveries: [count, 'Deliveries that were brought nearer.'],
    payments: [count, 'Payments in process whose status poll was brought nearer.'],
  }),
};

import { JsonObject, type Json } from '../../domain/shared/json';
import type { Bench, Twist } from '../bench';
import { withMember } from '../changes';
import { number, type RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { Unmet } from '../verdict';
import { manyScripts, nested, wide } from './texts';
import { seen } from './views';

const post = 'POST to the Events bridge URL';
const taken = '2xx, any JSON or nothing';

const isTaken =
  (payload: Readonly<Record<string, Json>> = {}, twist: Twist = {}) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    await bench.accepted(await state.good('event', bench, payload), twist);
  };

const isRefused =
  (twist: Twist) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    await bench.refused(await state.good('event', bench), twist);
  };

/** Scenarios for the Events bridge URL of either partner. */
export const events: readonly Scenario[] = [
  {
    id: 'events.event',
    title: 'An event is taken',
    sent: `${post}: an event_type and a payload`,
    expected: taken,
    line: 'events',
    fix: 'Answer 200 to every event that you have received, with JSON where there is something to say.',
    run: isTaken(),
  },
  {
    id: 'events.empty-payload',
    title: 'An event without anything in its payload',
    sent: `${post}: payload {}`,
    expected: taken,
    line: 'events',
    fix: 'An empty payload is a payload.',
    run: isTaken({}, { before: withMember('payload', JsonObject.of({})) }),
  },
  {
    id: 'events.unknown-fields',
    title: 'Fields that are not known yet',
    sent: `${post}: a member that no version of the contract has`,
    expected: taken,
    line: 'unknownIgnored',
    fix: 'Ignore members that you do not know.',
    run: isTaken({}, { before: withMember('conformance_extra', true) }),
  },
  {
    id: 'events.unicode',
    title: 'A payload of many scripts',
    sent: `${post}: text of many scripts, nested, with nulls`,
    expected: taken,
    line: 'utf8',
    fix: 'Read the body as UTF-8.',
    run: isTaken({ text: manyScripts, nested }),
  },
  {
    id: 'events.digits',
    title: 'Long decimals keep their digits',
    sent: `${post}: numbers of 20 digits, one of them with 2 decimals; then your events are looked at`,
    expected: 'the event is shown with these very digits',
    line: 'noFloats',
    fix: 'Read numbers as decimals or keep their text: a binary float holds 15 to 17 digits.',
    run: async (bench, state) => {
      const [units, total] = [state.digits(20), `${state.digits(18)}.90`];
      await isTaken({ units: number(units), total: number(total) })(bench, state);
      const { text } = await seen(bench, 'events');
      for (const sent of [units, total]) if (!text.includes(sent)) throw new Unmet(`${sent} is not shown as it was sent`);
    },
  },
  {
    id: 'events.large',
    title: 'A large payload',
    sent: `${post}: a payload of 60 KiB`,
    expected: taken,
    line: 'bodySize',
    fix: 'Raise the body limit of this route to 256 KiB at least.',
    run: isTaken({ blob: wide(60 * 1024) }),
  },
  {
    id: 'events.twice',
    title: 'The same event twice',
    sent: `${post}, the same event twice`,
    expected: '2xx both times',
    line: 'events',
    fix: 'An event that comes again is no fault: a relay may be repeated by its sender.',
    run: async (bench, state) => {
      const call = await state.good('event', bench);
      await bench.accepted(call);
      await bench.accepted(call);
    },
  },
  {
    id: 'events.no-type',
    title: 'An event without a type is refused',
    sent: `${post}: no event_type`,
    expected: '4xx or an error_code',
    line: 'events',
    fix: 'Refuse an event without event_type with 400 and the Error body.',
    run: isRefused({ before: withMember('event_type', undefined) }),
  },
  {
    id: 'events.type-no-text',
    title: 'A type that is no text is refused',
    sent: `${post}: event_type is a list`,
    expected: '4xx or an error_code',
    line: 'events',
    fix: 'Check that event_type is text before you act on it.',
    run: isRefused({ before: withMember('event_type', ['a']) }),
  },
];

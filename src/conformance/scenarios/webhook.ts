import { JsonObject } from '../../domain/shared/json';
import type { Bench, Twist } from '../bench';
import { withHeader, withMember } from '../changes';
import type { WebhookCall } from '../ports';
import { number, type RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { DoesNotApply, Unmet } from '../verdict';
import { longDecimals, manyScripts, nested } from './texts';
import { seen } from './views';

const post = 'POST to the Webhook URL';
const received = '2xx';

/** The completion of a payment that no other scenario uses. */
async function completion(bench: Bench, state: RunState, change: Partial<WebhookCall> = {}): Promise<WebhookCall> {
  const call = await state.good('webhook', bench);
  if (call.kind !== 'webhook') throw new DoesNotApply('no completion');
  return { ...call, ...change };
}

const isReceived =
  (change: Partial<WebhookCall> = {}, twist: Twist = {}) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    await bench.accepted(await completion(bench, state, change), twist);
  };

/** The miniapp's own view of the order payment. Throws DoesNotApply without one. */
const orderSeen = (bench: Bench, { orderPaymentId }: WebhookCall) => seen(bench, 'order', { order_payment_id: orderPaymentId });

async function requireStatus(bench: Bench, call: WebhookCall): Promise<void> {
  const { json } = await orderSeen(bench, call);
  const status = json?.get('payment_status');
  if (status !== call.word)
    throw new Unmet(`the order is shown as ${typeof status === 'string' ? status : 'nothing'}, not as ${call.word}`);
}

const everyEnd = (['paid', 'cancelled', 'failed'] as const).map((word): Scenario => ({
  id: `webhook.${word}`,
  title: `A payment that ended as ${word}`,
  sent: `${post}: payment_status ${word}`,
  expected: received,
  line: 'webhook',
  fix: 'Note the result and answer 200; do slow work afterwards.',
  run: isReceived({ word, failReason: word === 'failed' ? 'Declined by the bank' : undefined }),
}));

/** Scenarios for a miniapp's Webhook URL. */
export const webhook: readonly Scenario[] = [
  ...everyEnd,
  {
    id: 'webhook.attributes',
    title: 'A completion with custom attributes',
    sent: `${post}: custom_attributes with objects in lists, nulls and 20-digit numbers`,
    expected: received,
    line: 'webhook',
    fix: 'Take custom_attributes as any JSON object, or leave it alone.',
    run: isReceived({ customAttributes: nested }),
  },
  {
    id: 'webhook.null-fields',
    title: 'Optional fields that are null',
    sent: `${post}: payment_fail_reason and custom_attributes null`,
    expected: received,
    line: 'nullIsAbsent',
    fix: 'Treat null like an absent field.',
    run: isReceived({}, { before: (draft) => withMember('custom_attributes', null)(withMember('payment_fail_reason', null)(draft)) }),
  },
  {
    id: 'webhook.unknown-fields',
    title: 'Fields that are not known yet',
    sent: `${post}: a member that no version of the contract has`,
    expected: received,
    line: 'unknownIgnored',
    fix: 'Ignore members that you do not know.',
    run: isReceived({}, { before: withMember('conformance_extra', JsonObject.of({ a: null })) }),
  },
  {
    id: 'webhook.unicode',
    title: 'A reason in many scripts',
    sent: `${post}: payment_fail_reason with many scripts and control characters as escapes`,
    expected: received,
    line: 'utf8',
    fix: 'Read the body as UTF-8 and store the reason in a column that takes every character.',
    run: isReceived({ word: 'failed', failReason: manyScripts }),
  },
  {
    id: 'webhook.repeat',
    title: 'The same delivery twice',
    sent: `${post} twice: the same webhook-id, the same bytes`,
    expected: '2xx both times',
    line: 'webhookId',
    fix: 'Keep the webhook-id; answer a repeat with 200 and do nothing more.',
    run: async (bench, state) => {
      const call = await completion(bench, state);
      await bench.accepted(call);
      await bench.accepted(call);
    },
  },
  {
    id: 'webhook.later-attempt',
    title: 'A later attempt at a delivery that came through',
    sent: `${post} twice: the same webhook-id, a minute between the timestamps`,
    expected: '2xx both times',
    line: 'webhookId',
    fix: 'Know a repeat by its webhook-id alone: its timestamp and signature are new at every attempt.',
    run: async (bench, state) => {
      const call = await completion(bench, state);
      const aMinuteAgo = String(Math.floor(Date.now() / 1000) - 60);
      await bench.accepted(call, { before: withHeader('webhook-timestamp', aMinuteAgo) });
      await bench.accepted(call);
    },
  },
  {
    id: 'webhook.parallel',
    title: 'The same delivery five times at once',
    sent: `${post}: five equal calls at once`,
    expected: '2xx five times',
    line: 'webhookId',
    fix: 'Claim the webhook-id with an insert that tolerates a duplicate; who loses the race answers 200 all the same.',
    run: async (bench, state) => {
      const call = await completion(bench, state);
      await Promise.all(Array.from({ length: 5 }, () => bench.accepted(call)));
    },
  },
  {
    id: 'webhook.new-id',
    title: 'The same result under another delivery',
    sent: `${post} twice: another webhook-id, the same result`,
    expected: '2xx both times',
    line: 'webhookAlways',
    fix: 'Applying a result that holds already changes nothing and is answered with 200.',
    run: async (bench, state) => {
      const call = await completion(bench, state);
      await bench.accepted(call);
      await bench.accepted({ ...call, deliveryId: state.fresh('msg') });
    },
  },
  {
    id: 'webhook.conflict',
    title: 'Another result for a payment that has ended',
    sent: `${post} twice: paid, then failed, under another webhook-id`,
    expected: '2xx both times',
    line: 'webhookAlways',
    fix: 'Answer 200 to a result that you do not apply, and have somebody look at it: a refusal is sent again for seven days.',
    run: async (bench, state) => {
      const call = await completion(bench, state);
      await bench.accepted(call);
      await bench.accepted({ ...call, deliveryId: state.fresh('msg'), word: 'failed' });
    },
  },
  {
    id: 'webhook.first-holds',
    title: 'The first final result holds',
    sent: `${post} twice: paid, then failed; then the order is looked at`,
    expected: 'the order is shown as paid',
    line: 'firstFinal',
    fix: 'Change an order only from in_process; keep a second, other result aside.',
    run: async (bench, state) => {
      const call = await completion(bench, state);
      await bench.accepted(call);
      await requireStatus(bench, call);
      await bench.accepted({ ...call, deliveryId: state.fresh('msg'), word: 'failed' });
      await requireStatus(bench, call);
    },
  },
  {
    id: 'webhook.unknown-order',
    title: 'A payment that you do not know',
    sent: `${post}: an order_payment_id of nobody`,
    expected: received,
    line: 'webhookAlways',
    fix: 'Answer 200 and keep it aside: the result may have been faster than your own commit.',
    run: isReceived(),
  },
  {
    id: 'webhook.long-id',
    title: 'An order payment id of the greatest length',
    sent: `${post}: order_payment_id of 255 characters`,
    expected: received,
    line: 'stringSizes',
    fix: 'Widen the column to 255 characters: the id is the host app’s to choose.',
    run: (bench, state) => isReceived({ orderPaymentId: state.fresh('pay').padEnd(255, '0') })(bench, state),
  },
  {
    id: 'webhook.digits',
    title: 'Long decimals keep their digits',
    sent: `${post}: custom_attributes with ${longDecimals.whole} and ${longDecimals.money}; then the order is looked at`,
    expected: 'the order is shown with these very digits',
    line: 'noFloats',
    fix: 'Read numbers as decimals or keep their text: a binary float holds 15 to 17 digits.',
    run: async (bench, state) => {
      const customAttributes = JsonObject.of({ units: number(longDecimals.whole), total: number(longDecimals.money) });
      const call = await completion(bench, state, { customAttributes });
      await bench.accepted(call);
      const { text } = await orderSeen(bench, call);
      for (const digits of [longDecimals.whole, longDecimals.money])
        if (!text.includes(digits)) throw new Unmet(`${digits} is not shown as it was sent`);
    },
  },
];

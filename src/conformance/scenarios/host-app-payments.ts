import { JsonObject, type Json } from '../../domain/shared/json';
import type { Bench, Twist } from '../bench';
import { escaped, withMember } from '../changes';
import { number, textIn, type RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { Unmet } from '../verdict';
import { fullOrder } from './orders';
import { longDecimals, manyScripts, nested, wide } from './texts';
import { seen } from './views';

type OrderChange = Readonly<Record<string, Json | undefined>>;

const post = 'POST to the Create order payment URL';
const opened = '2xx with order_payment_id';

const open = async (bench: Bench, state: RunState, change: OrderChange = {}, twist: Twist = {}): Promise<string> =>
  textIn(await bench.accepted(await state.good('create', bench, change), twist), 'order_payment_id');

const opens =
  (change: OrderChange, twist: Twist = {}) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    await open(bench, state, change, twist);
  };

const refuses =
  (change: OrderChange, twist: Twist = {}) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    await bench.refused(await state.good('create', bench, change), twist);
  };

const amountFix = 'Read amounts as decimals, from text as from numbers; 20 digits need NUMERIC(20, 2), not a float or 64 bits.';

/** Scenarios for one notation of an amount: it must be accepted and, if the partner has a payment view, be shown digit by digit. */
const amounts = (
  [
    ['text', '12.30', '12.30', 'as text'],
    ['number', number('12.30'), '12.30', 'as a number with a zero at its end'],
    ['float', number('1.20e3'), undefined, 'as a number with an exponent, as some languages print floats'],
    ['whole', number('7'), undefined, 'as a whole number'],
    ['twenty-digits', longDecimals.whole, longDecimals.whole, 'of 20 digits, as text'],
    ['long-decimal', number(longDecimals.money), longDecimals.money, 'of 18 digits and 2 decimals, as a number'],
  ] as const
).map(([name, amount, digits, how]): Scenario => ({
  id: `payments.amount-${name}`,
  title: `An amount ${how}`,
  sent: `${post}: amount ${typeof amount === 'string' ? `"${amount}"` : amount.text}`,
  expected: digits === undefined ? opened : `${opened}; the payment is shown with these very digits, where you show payments`,
  line: 'decimals',
  fix: amountFix,
  run: async (bench, state) => {
    const id = await open(bench, state, { amount });
    if (digits === undefined || bench.context.test.views.payment === undefined) return;
    const { text } = await seen(bench, 'payment', { order_payment_id: id });
    if (!text.includes(digits)) throw new Unmet(`${digits} is not shown as it was sent`);
  },
}));

/** Scenarios for a host app's Create order payment URL. */
export const hostAppPayments: readonly Scenario[] = [
  {
    id: 'payments.order',
    title: 'An order with everything in it',
    sent: `${post}: an order with all fields, two items and a shipping address`,
    expected: opened,
    line: 'create',
    fix: 'Open a payment and answer {"order_payment_id": …}, 255 characters at most.',
    run: (bench, state) => opens(fullOrder)(bench, state),
  },
  {
    id: 'payments.least',
    title: 'An order with currency and amount alone',
    sent: `${post}: currency and amount`,
    expected: opened,
    line: 'orderFields',
    fix: 'Only currency and amount are required; all other fields may be absent.',
    run: opens({}),
  },
  ...amounts,
  {
    id: 'payments.null-fields',
    title: 'Optional fields that are null',
    sent: `${post}: note, tax_amount, items and shipping_address null`,
    expected: opened,
    line: 'nullIsAbsent',
    fix: 'Treat null like an absent field.',
    run: opens({ note: null, tax_amount: null, items: null, shipping_address: null }),
  },
  {
    id: 'payments.unknown-fields',
    title: 'Fields that are not known yet',
    sent: `${post}: members beside the order and inside of it that no version of the contract has`,
    expected: opened,
    line: 'unknownIgnored',
    fix: 'Ignore members that you do not know: miniapps put them into orders, and they are relayed.',
    run: opens({ conformance_extra: nested }, { before: withMember('conformance_extra', null) }),
  },
  {
    id: 'payments.unicode',
    title: 'Texts of many scripts',
    sent: `${post}: note and product_name of many scripts`,
    expected: opened,
    line: 'utf8',
    fix: 'Read the body as UTF-8 and store texts in columns that take every character.',
    run: opens({ note: manyScripts, items: [JsonObject.of({ product_name: manyScripts, quantity: number('1'), price: '1.00' })] }),
  },
  {
    id: 'payments.escapes',
    title: 'The same characters as JSON escapes',
    sent: `${post}: the body with every non-ASCII character and slash as \\u escape`,
    expected: opened,
    line: 'utf8',
    fix: 'Use a JSON parser, and check signatures over the raw bytes.',
    run: opens({ note: '森由紀 👩‍🚀 a/b' }, { before: escaped }),
  },
  {
    id: 'payments.large',
    title: 'A large order',
    sent: `${post}: an order of 200 KiB`,
    expected: opened,
    line: 'bodySize',
    fix: 'Raise the body limit of this route to 256 KiB at least (many frameworks stop at 100 KB).',
    run: opens({ custom_attributes: wide(60 * 1024), conformance_extra: wide(140 * 1024) }),
  },
  {
    id: 'payments.own-id',
    title: 'Two orders are two payments',
    sent: `${post} twice: equal orders, two Idempotency-Keys`,
    expected: 'two different order_payment_ids',
    line: 'idempotent',
    fix: 'Know a repeated call by its Idempotency-Key, never by what is in it.',
    run: async (bench, state) => {
      if ((await open(bench, state)) === (await open(bench, state))) throw new Unmet('two orders were given the same order_payment_id');
    },
  },
  {
    id: 'payments.repeat',
    title: 'The same call again opens no second payment',
    sent: `${post} twice: the same Idempotency-Key, the same bytes`,
    expected: 'the same order_payment_id both times',
    line: 'idempotent',
    fix: 'Keep the Idempotency-Key with the payment and answer a repeat with the first answer.',
    run: async (bench, state) => {
      const call = await state.good('create', bench);
      const [first, second] = [await bench.accepted(call), await bench.accepted(call)];
      if (textIn(first, 'order_payment_id') !== textIn(second, 'order_payment_id')) throw new Unmet('the repeat opened a second payment');
    },
  },
  {
    id: 'payments.race',
    title: 'The same call five times at once opens one payment',
    sent: `${post}, five equal calls at once with one Idempotency-Key`,
    expected: 'one order_payment_id in all answers that are good; the others may be refused',
    line: 'idempotent',
    fix: 'Put the Idempotency-Key under a unique constraint; who loses the race reads what the winner wrote.',
    run: async (bench, state) => {
      const call = await state.good('create', bench);
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => bench.survived(call)));
      const problems = await Promise.all(outcomes.map((outcome) => bench.requests.problem(call, outcome)));
      const good = outcomes.filter((_, i) => problems[i] === undefined);
      const taken = await Promise.all(good.map((outcome) => bench.requireTaken(call, outcome)));
      const ids = new Set(taken.map((answer) => answer.get('order_payment_id')));
      if (ids.size !== 1) throw new Unmet(`${String(good.length)} good answers with ${String(ids.size)} order_payment_ids`);
    },
  },
  {
    id: 'payments.no-order',
    title: 'A call without an order is refused',
    sent: `${post}: no order`,
    expected: '4xx or an error_code',
    line: 'create',
    fix: 'Refuse a body without order with 400 and the Error body.',
    run: refuses({}, { before: withMember('order', undefined) }),
  },
  {
    id: 'payments.no-amount',
    title: 'An order without an amount is refused',
    sent: `${post}: an order without amount`,
    expected: '4xx or an error_code',
    line: 'orderFields',
    fix: 'Never take a missing amount for 0: refuse with INVALID_ORDER_DATA.',
    run: refuses({ amount: undefined }),
  },
  {
    id: 'payments.no-currency',
    title: 'An order without a currency is refused',
    sent: `${post}: an order without currency`,
    expected: '4xx or an error_code',
    line: 'orderFields',
    fix: 'Never assume a currency: refuse with INVALID_ORDER_DATA.',
    run: refuses({ currency: undefined }),
  },
];

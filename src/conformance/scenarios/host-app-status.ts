import { withHeader, withMember, type Change } from '../changes';
import type { Bench } from '../bench';
import { textIn, type RunState } from '../run-state';
import type { Scenario } from '../scenario';
import { DoesNotApply, Unmet } from '../verdict';

const post = 'POST to the Get order payment status URL';
const validStatus = '2xx with payment_status: in_process, processing, paid, cancelled or failed';
const refused = '4xx or an error_code';

const status = async (bench: Bench, state: RunState): Promise<string> => {
  const id = await state.payment(bench);
  const answer = await bench.accepted(await state.good('status', bench));
  const named = answer.get('order_payment_id');
  if (named !== undefined && named !== id) throw new Unmet('the answer is about another payment');
  return textIn(answer, 'payment_status');
};

const refuses =
  (before: Change) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    await bench.refused(await state.good('status', bench), { before });
  };

/** Calls in the name of a user who does not own the token. Throws DoesNotApply where payment calls carry no token. */
const asUser =
  (after: Change) =>
  async (bench: Bench, state: RunState): Promise<void> => {
    if (!bench.context.usesAccessToken) throw new DoesNotApply('use_access_token is off: payment calls carry no token of a user');
    await bench.refused(await state.good('create', bench), { after });
  };

/** Scenarios for a host app's Get order payment status URL, and for payments in a user's name. */
export const hostAppStatus: readonly Scenario[] = [
  {
    id: 'status.payment',
    title: 'The status of a payment is told',
    sent: `${post}: the three ids of a payment that was just opened`,
    expected: validStatus,
    line: 'status',
    fix: 'Answer {"app_id", "client_id", "order_payment_id", "payment_status"}, in the contract’s words.',
    run: async (bench, state) => {
      await status(bench, state);
    },
  },
  {
    id: 'status.open',
    title: 'A payment that nobody has paid is in process',
    sent: `${post}: a payment that was just opened`,
    expected: 'in_process or processing',
    line: 'status',
    fix: 'Say in_process until the payment has ended: a final word holds for ever.',
    run: async (bench, state) => {
      const word = await status(bench, state);
      if (word !== 'in_process' && word !== 'processing') throw new Unmet(`says ${word} of a payment that nobody has paid`);
    },
  },
  {
    id: 'status.again',
    title: 'Asking changes nothing',
    sent: `${post}, five times at once`,
    expected: 'the same payment_status five times',
    line: 'status',
    fix: 'Only read here.',
    run: async (bench, state) => {
      await state.payment(bench);
      const words = await Promise.all(Array.from({ length: 5 }, () => status(bench, state)));
      if (new Set(words).size !== 1) throw new Unmet(`five equal calls were answered ${[...new Set(words)].join(', ')}`);
    },
  },
  {
    id: 'status.unknown-fields',
    title: 'Fields that are not known yet',
    sent: `${post}: a member that no version of the contract has`,
    expected: validStatus,
    line: 'unknownIgnored',
    fix: 'Ignore members that you do not know.',
    run: async (bench, state) => {
      await bench.accepted(await state.good('status', bench), { before: withMember('conformance_extra', null) });
    },
  },
  {
    id: 'status.unknown-payment',
    title: 'A payment that was never opened is refused',
    sent: `${post}: a made-up order_payment_id`,
    expected: refused,
    line: 'status',
    fix: 'Answer ORDER_NOT_FOUND: in_process for an id that nobody knows keeps miniapps waiting for ever.',
    run: (bench, state) => refuses(withMember('order_payment_id', state.fresh('pay')))(bench, state),
  },
  {
    id: 'status.other-app',
    title: 'A payment of another miniapp is refused',
    sent: `${post}: the payment, with another app_id in the body`,
    expected: refused,
    line: 'status',
    fix: 'Look the payment up by order_payment_id and app_id together.',
    run: refuses(withMember('app_id', 'app_0ther1')),
  },
  {
    id: 'status.no-id',
    title: 'A call without an id is refused',
    sent: `${post}: no order_payment_id`,
    expected: refused,
    line: 'status',
    fix: 'Refuse a body without order_payment_id with 400 and the Error body.',
    run: refuses(withMember('order_payment_id', undefined)),
  },
  {
    id: 'status.long-id',
    title: 'An id of the greatest length is refused, not a fault',
    sent: `${post}: a made-up order_payment_id of 255 characters`,
    expected: refused,
    line: 'stringSizes',
    fix: 'Refuse what is longer than any id of yours before you look it up.',
    run: refuses(withMember('order_payment_id', 'x'.repeat(255))),
  },
  {
    id: 'user-payments.other-user',
    title: 'A payment in the name of another user is refused',
    sent: 'POST to the Create order payment URL: the token of one user, the X-User-ID of another',
    expected: refused,
    line: 'userPayment',
    fix: 'Compare X-User-ID and hostapp_user_id with the user of the token.',
    run: asUser(withHeader('X-User-ID', 'somebody-else')),
  },
  {
    id: 'user-payments.unknown-token',
    title: 'A payment with a made-up token is refused',
    sent: 'POST to the Create order payment URL: a token that was never given out',
    expected: refused,
    line: 'userPayment',
    fix: 'Answer 401 to a token that you do not take: it is refreshed once, and the call repeated.',
    run: (bench, state) => asUser(withHeader('Authorization', `${bench.context.accessTokenPrefix} made-up`))(bench, state),
  },
];

import { completeOrderPath } from '../partners/completion-calls';
import { memberOf } from '../read-body';
import type { SandboxPair } from '../setup/sandbox-pair';
import type { SandboxUser } from '../partners/sandbox-users';
import { holdsTexts, refuses, hasMember } from './demo-checks';
import type { Step } from './demo-step';
import type { Leg } from './demo-table';

const createPath = '/api/v1/orders/create-order-payment/';
const statusPath = '/api/v1/orders/get-payment-status/';
const toCreate = { to: 'host app', call: 'POST /payments' } as const;
const fromMiniapp = { from: 'miniapp', method: 'POST' } as const;

/** A payment from the order to the webhook. A wrong amount and an unknown payment are refused without calls to the partners. */
export function* paymentSteps({ clientId, appId }: SandboxPair): Generator<Step> {
  const ids = { client_id: clientId, app_id: appId };
  const order = { currency: 'USD', amount: '24.90', items: [{ product_name: 'Ferry ticket', quantity: 2, price: '12.45' }] };
  const create = { ...fromMiniapp, path: createPath } as const;
  const status = { ...fromMiniapp, path: statusPath } as const;
  let payment = '';
  yield {
    ...create,
    body: { ...ids, order },
    status: 200,
    check: (body) => {
      const id = memberOf(body, 'order_payment_id');
      payment = typeof id === 'string' ? id : '';
      return payment === '' ? 'without order_payment_id' : undefined;
    },
    partnerCalls: [toCreate],
  };
  yield {
    from: 'user',
    to: 'host app',
    method: 'POST',
    path: `/sandbox/payments/${payment}/pay`,
    status: 200,
    check: hasMember('payment_status', 'paid'),
    listedCalls: completionLegs,
    partnerCalls: [{ to: 'miniapp', call: 'POST /webhook', follows: true }],
  };
  yield {
    ...status,
    body: { ...ids, order_payment_id: payment },
    status: 200,
    check: hasMember('payment_status', 'paid'),
    partnerCalls: [{ to: 'host app', call: 'POST /payments/status' }],
  };
  const wrong = { ...order, amount: '24.905' };
  yield { ...create, body: { ...ids, order: wrong }, status: 400, check: refuses('INVALID_ORDER_DATA'), partnerCalls: [] };
  const unknown = { ...ids, order_payment_id: 'pay_unknown' };
  yield { ...status, body: unknown, status: 400, check: refuses('ORDER_NOT_FOUND'), partnerCalls: [] };
}

/** A payment for a user whose token the host app no longer accepts: the token is refreshed once, and the payment is created. */
export function* userPaymentSteps({ clientId, appId }: SandboxPair, user: SandboxUser, operatorToken: string): Generator<Step> {
  yield {
    from: 'operator',
    method: 'PATCH',
    path: `/manage/v1/host-apps/${clientId}`,
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/merge-patch+json' },
    body: { use_access_token: true },
    status: 200,
    check: hasMember('use_access_token', true),
    partnerCalls: [],
  };
  // These cents make the host app refuse the first call with 401.
  const order = { currency: 'USD', amount: '5.08', hostapp_user_id: user.reference };
  yield {
    ...fromMiniapp,
    path: createPath,
    body: { client_id: clientId, app_id: appId, order },
    status: 200,
    check: holdsTexts('order_payment_id'),
    partnerCalls: [{ ...toCreate, status: 401 }, { to: 'host app', call: 'POST /oauth/refresh' }, toCreate],
  };
}

/** The reports that the host app sent while the user waited at the sheet. */
function completionLegs(body: unknown): Leg[] {
  const made = memberOf(body, 'complete_order');
  return (Array.isArray(made) ? made : []).map((report: unknown): Leg => {
    const [status, ms] = [Number(memberOf(report, 'status')), Number(memberOf(report, 'ms'))];
    const leg = { from: 'host app', to: 'Pierhead', call: `POST ${completeOrderPath}`, status, ms, inner: true };
    return status === 200 ? leg : { ...leg, problem: 'expected 200' };
  });
}

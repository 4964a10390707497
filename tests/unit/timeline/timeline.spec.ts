import { timelineOf } from '../../../src/domain/timeline/timeline';
import { verdictOfCall, verdictOfDelivery, verdictOfPayment, type SeenDelivery } from '../../../src/domain/timeline/verdict';
import type { PaymentHistory } from '../../../src/domain/payments/payment-record-repository';
import { anExchange } from '../../contract/exchanges/exchange-log.contract';

const at = 1_700_000_000_000;
const aDelivery = (more: Partial<SeenDelivery> = {}): SeenDelivery => ({
  ...{ id: 'p1', integrationId: 'i1', kind: 'completion', receiver: 'miniapp', queue: 'l', state: 'ready', attemptCount: 1 },
  ...{ createdAt: at, dueAt: at + 5000, attempts: [{ reason: 'schedule', at: at + 100, ms: 20, status: 500 }] },
  ...more,
});
const aPayment = (more: Partial<PaymentHistory> = {}): PaymentHistory => ({
  ...{ id: 'p1', integrationId: 'i1', creation: 'opened', status: 'in_process', amount: '1', currency: 'EUR', createdAt: at },
  ...{ plan: { polls: 0 }, openConflicts: 0, disagreements: [] },
  ...more,
});

it('puts calls, legs, asks and attempts in the order of time, and splits it', () => {
  const create = anExchange(1, {
    ...{ call: 'create_order_payment', at, ms: 50, partOf: 'p1' },
    legs: [
      { to: 'hostapp', step: 'create', attempt: 1, startedAt: at + 5, ms: 10, status: 401, errorCode: 'X' },
      { to: 'hostapp', step: 'create', attempt: 2, startedAt: at + 20, ms: 12, status: 200 },
    ],
  });
  const poll = anExchange(2, {
    call: 'reconcile',
    at: at + 60,
    ms: 9,
    legs: [{ to: 'hostapp', step: 'status', attempt: 1, startedAt: at + 61, ms: 8 }],
  });
  const timeline = timelineOf({
    kind: 'payment',
    id: 'p1',
    payment: aPayment({ status: 'paid' }),
    delivery: aDelivery(),
    calls: [create, poll],
    now: at + 200,
  });
  expect(
    timeline.steps.map(({ kind, from, to, what, attempt, afterUnauthorized }) => [kind, from, to, what, attempt, afterUnauthorized]),
  ).toEqual([
    ['call', 'miniapp', 'platform', 'create_order_payment', 1, undefined],
    ['leg', 'platform', 'hostapp', 'create', 1, undefined],
    ['leg', 'platform', 'hostapp', 'create', 2, true],
    ['poll', 'platform', 'hostapp', 'status', 1, undefined],
    ['attempt', 'platform', 'miniapp', 'completion', 1, undefined],
    ['planned', 'platform', 'miniapp', 'completion', 2, undefined],
  ]);
  expect(timeline.split).toEqual({ platform: 29, hostapp: 30, miniapp: 20 });
  expect(timeline.verdict).toMatchObject({
    side: 'miniapp',
    sentence:
      'The payment has ended: paid. The notice how the payment ended was not received by the miniapp: it answered 500; it is tried again.',
  });
});

it.each<[string, Partial<SeenDelivery>, string]>([
  ['was received', { state: 'delivered' }, 'nobody'],
  ['waits for a switch', { state: 'parked', parkedBy: 'FEATURE_DISABLED_IN_MINIAPP' }, 'operator'],
  ['is on its way', { attempts: [], attemptCount: 0 }, 'nobody'],
  ['was given up', { state: 'failed' }, 'miniapp'],
  ['may not be called', { attempts: [{ reason: 'schedule', at, ms: 1, cause: 'denied-address' }] }, 'operator'],
  ['could not be called, as records of before say it', { attempts: [{ reason: 'schedule', at, ms: 1, cause: 'address' }] }, 'operator'],
])('says who has to act for a delivery that %s', (_how, more, side) => {
  expect(verdictOfDelivery(aDelivery(more)).side).toBe(side);
});

it.each<[string, Partial<PaymentHistory>, number, string]>([
  ['is young', {}, at + 1000, 'nobody'],
  ['has been in process for long', {}, at + 16 * 60_000, 'hostapp'],
  ['has two results', { status: 'paid', openConflicts: 1 }, at, 'hostapp'],
  ['was refused', { creation: 'refused' }, at, 'hostapp'],
  ['has ended', { status: 'failed' }, at, 'nobody'],
])('says who has to act for a payment that %s', (_how, more, now, side) => {
  expect(verdictOfPayment({ payment: aPayment(more), calls: [], delivery: undefined, now }).side).toBe(side);
});

it.each<[string, Parameters<typeof anExchange>[1], string]>([
  ['a fault of ours', { status: 500, errorCode: 'UNKNOWN_ERROR', failedSide: 'platform', legs: [] }, 'platform'],
  ['a database that is away', { status: 503, errorCode: 'SERVICE_UNAVAILABLE', failedSide: 'platform', legs: [] }, 'platform'],
  [
    'an address that is not on the list of its own',
    { status: 403, errorCode: 'NOT_A_WHITELISTED_IP', failedSide: 'miniapp', refused: { of: 'miniapp', check: 'address' }, legs: [] },
    'miniapp',
  ],
  ['a code that nobody knows', { status: 400, errorCode: 'SOMETHING', failedSide: 'miniapp' }, 'miniapp'],
])('says who has to act after %s', (_what, more, side) => {
  expect(verdictOfCall(anExchange(1, more)).side).toBe(side);
});

import { legsOfDelivery, legsOfExchange } from '../../../src/sandbox/playground/exchange-legs';
import type { ShownDelivery, ShownExchange } from '../../../src/sandbox/manage-records';

const at = '2026-03-01T10:00:00.000Z';
const later = '2026-03-01T10:00:00.040Z';

const exchange = (changes: Partial<ShownExchange> = {}): ShownExchange => ({
  ...{ id: 'ex1', request_id: 'req-1', call: 'authorize', at, ms: 90, status: 200, checks: [] },
  legs: [{ to: 'hostapp', step: 'exchange', attempt: 1, started_at: later, ms: 12, status: 200 }],
  ...changes,
});
const delivery = (changes: Partial<ShownDelivery> = {}): ShownDelivery => ({
  ...{ id: 'd1', kind: 'completion', receiver: 'miniapp', state: 'ready', attempt_count: 2, created_at: at, due_at: later },
  attempts: [
    { reason: 'schedule', at, ms: 5, status: 500, error_code: 'UNEXPECTED_RESPONSE_ERROR', cause: 'http-500' },
    { reason: 'schedule', at: later, ms: 6, status: 200 },
  ],
  ...changes,
});

describe('the legs of an exchange', () => {
  it("are the inbound call and the calls to partners, in the playground's terms", () => {
    expect(legsOfExchange(exchange())).toMatchObject([
      { id: 'ex1', from: 'host page', to: 'Pierhead', call: 'POST /api/v1/authorize/', status: 200, ms: 90, at: Date.parse(at) },
      { id: 'ex1.0', of: 'ex1', from: 'Pierhead', to: 'host app', call: 'POST /oauth/token', status: 200, ms: 12, attempt: 1 },
    ]);
  });

  it('are marked as signed in both directions if the miniapp signs', () => {
    const order = (checks: readonly string[]) => {
      const create = { to: 'hostapp', step: 'create', attempt: 1, started_at: later, ms: 3, status: 200 } as const;
      const token = { to: 'miniapp', step: 'miniapp_token', attempt: 1, started_at: later, ms: 3, status: 200 } as const;
      return legsOfExchange(exchange({ call: 'create_order_payment', checks, legs: [create, token] }), 'HMAC').map(({ proof }) => proof);
    };
    expect(order(['signature'])).toEqual(['signed (HMAC)', undefined, 'signed (HMAC)']);
    expect(order(['address'])[0]).toBeUndefined();
    const [own] = legsOfExchange(exchange({ call: 'complete_order', checks: ['signature'] }), 'HMAC');
    expect(own).not.toHaveProperty('proof');
    const [event] = legsOfExchange(exchange({ call: 'hostapp_event', checks: ['signature'] }), 'HMAC');
    expect(event).toMatchObject({ from: 'host app', proof: 'signed (HMAC)' });
  });

  it('start with the first call to a partner if there was no inbound call', () => {
    const status = { to: 'hostapp', step: 'status', attempt: 1, started_at: later, ms: 3, status: 200 } as const;
    const legs = legsOfExchange(exchange({ call: 'reconcile', legs: [status] }));
    expect(legs.map(({ from, call, of }) => [from, call, of])).toEqual([['Pierhead', 'POST /payments/status', undefined]]);
  });

  it.each([
    ['ACCESS_DENIED', undefined, 'The host page has to act.'],
    ['NO_INTEGRATION', 'platform', 'The operator has to act.'],
    ['RESPONSE_ATTRIBUTE_MISSING', 'miniapp', 'The miniapp has to act.'],
    ['A_CODE_OF_ITS_OWN', 'hostapp', 'The host app has to act.'],
  ])('say who has to act on %s', (code, side, words) => {
    const [own] = legsOfExchange(exchange({ status: 400, error_code: code, legs: [], ...(side !== undefined && { failed_side: side }) }));
    expect([own?.code, own?.verdict?.endsWith(words)]).toEqual([code, true]);
  });

  it('say that the partner has to act if the partner answered with the error code', () => {
    const answered = {
      to: 'miniapp',
      step: 'miniapp_token',
      attempt: 1,
      started_at: later,
      ms: 3,
      status: 500,
      error_code: 'UNKNOWN_ERROR',
    } as const;
    const legs = legsOfExchange(exchange({ status: 400, error_code: 'UNKNOWN_ERROR', failed_side: 'miniapp', legs: [answered] }));
    expect(legs.map(({ verdict }) => verdict)).toEqual(Array(2).fill(expect.stringContaining('The miniapp has to act')));
  });

  it('have no status where no answer came', () => {
    const hung = {
      to: 'hostapp',
      step: 'create',
      attempt: 1,
      started_at: later,
      ms: 20_000,
      error_code: 'UNEXPECTED_RESPONSE_ERROR',
      cause: 'timeout',
    } as const;
    const [, leg] = legsOfExchange(exchange({ legs: [hung] }));
    expect(leg).not.toHaveProperty('status');
    expect(leg?.verdict).toContain('(timeout)');
  });
});

describe('the legs of a delivery', () => {
  it('are its attempts, and the last one shows when the next is due', () => {
    const [first, second] = legsOfDelivery(delivery());
    expect(first).toMatchObject({ id: 'd1.0', call: 'POST /webhook', from: 'Pierhead', to: 'miniapp', attempt: 1, status: 500 });
    expect(first?.details).not.toHaveProperty('State');
    expect(second).toMatchObject({ id: 'd1.1', attempt: 2, status: 200, details: { State: 'ready', 'Next attempt': later } });
    expect(second).not.toHaveProperty('code');
  });

  it('are signed if they go to a miniapp that signs', () => {
    expect(legsOfDelivery(delivery(), 'HMAC').map(({ proof }) => proof)).toEqual(['signed (HMAC)', 'signed (HMAC)']);
    expect(legsOfDelivery(delivery({ kind: 'event', receiver: 'hostapp' }), 'HMAC')[0]).not.toHaveProperty('proof');
    expect(legsOfDelivery(delivery())[0]).not.toHaveProperty('proof');
  });

  it('of an event go to its receiver', () => {
    expect(legsOfDelivery(delivery({ kind: 'event', receiver: 'hostapp' }))[0]).toMatchObject({ to: 'host app', call: 'POST /events' });
  });
});

import { MemoryExchangeLog } from '../../../src/adapters/out/memory/memory-exchange-log';
import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/memory-order-payment-repository';
import { MemoryPartnerDirectory } from '../../../src/adapters/out/memory/memory-partner-directory';
import { MemoryPaymentAsks } from '../../../src/adapters/out/memory/memory-payment-asks';
import { MemoryRegistry } from '../../../src/adapters/out/memory/memory-registry';
import type { Relay } from '../../../src/domain/exchanges/exchange';
import type { HostAppSettings } from '../../../src/domain/partners/host-app';
import type { IntegrationSettings } from '../../../src/domain/partners/integration';
import { askRules, askTimesMs } from '../../../src/domain/payments/ask-plan';
import { pollRules } from '../../../src/domain/payments/poll-pace';
import { settle } from '../../../src/domain/payments/order-payment';
import type { AskEnd } from '../../../src/domain/payments/payment-asks';
import type { StatusReport } from '../../../src/domain/payments/ports';
import { ReconcilePayments } from '../../../src/domain/payments/reconcile-payments';
import { Unavailable } from '../../../src/domain/shared/errors';
import { readJsonText, type JsonObject } from '../../../src/domain/shared/json';
import { FakeHostAppPaymentGateway } from '../../fakes/fake-host-app-payment-gateway';
import { FakeStoredUsers } from '../../fakes/fake-stored-users';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const endpoints = { getOrderPaymentStatus: 'https://host.example/status' };
const relayed = readJsonText('{}') as JsonObject;

/** A host app that answers by its own books, or as set: each call leaves a leg, as the way over HTTP does. */
class TracingHostApp extends FakeHostAppPaymentGateway {
  trouble: { status?: number; retryAfterS?: number } | undefined;
  readonly askedAt: number[] = [];
  meanwhileAsked: () => Promise<void> = async () => undefined;

  constructor(private readonly clock: ManualClock) {
    super();
  }

  override async status(relay: Relay, ...asked: [Parameters<FakeHostAppPaymentGateway['status']>[1], { orderPaymentId: string }]) {
    this.askedAt.push(this.clock.now());
    await this.meanwhileAsked();
    const leg = { to: 'hostapp', step: 'status', attempt: 1, startedAt: this.clock.now(), ms: 0 } as const;
    const tell = (more: object): void => {
      relay.trace.leg({ ...leg, ...more });
    };
    if (this.trouble) this.vanish();
    try {
      const report: StatusReport = await super.status(relay, ...asked);
      tell({ status: 200 });
      return report;
    } catch (error) {
      tell(this.trouble ? { cause: 'reset', ...this.trouble } : { status: 200, errorCode: 'x' });
      throw error;
    } finally {
      this.recover();
    }
  }
}

/** Payments in memory, a host app with set states, and time that moves when told. */
class Desk {
  readonly clock = new ManualClock();
  readonly began = this.clock.now();
  readonly ids = new CountingIds();
  readonly registry = new MemoryRegistry();
  readonly payments = new MemoryOrderPaymentRepository(this.clock);
  readonly asks = new MemoryPaymentAsks({ clock: this.clock, ids: this.ids, payments: this.payments });
  readonly ends: AskEnd[] = [];
  readonly hostApp = new TracingHostApp(this.clock);
  readonly users = new FakeStoredUsers();
  readonly exchanges = new MemoryExchangeLog();
  readonly log = new CollectingLog();
  readonly rung: (string | undefined)[] = [];
  readonly reconcile = new ReconcilePayments({
    ...{ payments: this.payments, hostApp: this.hostApp, users: this.users, exchanges: this.exchanges },
    asks: {
      claimDue: (request) => this.asks.claimDue(request),
      endOverdue: (age) => this.asks.endOverdue(age),
      finish: (claim, end) => (this.ends.push(end), this.asks.finish(claim, end)),
    },
    directory: new MemoryPartnerDirectory(this.registry),
    bell: { ring: (lane) => void this.rung.push(lane) },
    ...{ clock: this.clock, ids: this.ids, log: this.log, timesMs: askTimesMs, timeoutMs: 20_000, maxPerSecond: 200 },
  });
  private made = 0;

  constructor(settings: Partial<IntegrationSettings> = {}, hostApp: Partial<HostAppSettings> = {}) {
    this.agree(settings, hostApp);
  }

  agree(settings: Partial<IntegrationSettings> = {}, hostApp: Partial<HostAppSettings> = {}): void {
    const integration = anIntegration({ hostApp: aHostApp({ endpoints, ...hostApp }) });
    const [clientId, appId] = [integration.hostApp.id, integration.miniapp.id];
    this.registry.hostApps.set(clientId, integration.hostApp);
    this.registry.miniapps.set(appId, aMiniapp());
    const agreement = { id: 'int_1', clientId, appId, version: 1, settings: { ...integration.settings, ...settings } };
    this.registry.agreements.set(`${clientId}/${appId}`, agreement);
  }

  /** A payment that was opened now; its id at the host app. */
  async opened(hostappUserId?: string): Promise<string> {
    const id = `pay_${String(++this.made)}`;
    const orderPaymentId = `op-${String(this.made)}`;
    const at = this.clock.now();
    const order = { facts: { currency: 'USD', amount: '1', hostappUserId }, relayed };
    const ask = { clientId: anIntegration().hostApp.id, at: at + (askTimesMs[0] ?? 0) };
    await this.payments.intend({ id, integrationId: 'int_1', order, at, ask });
    await this.payments.open({ id, integrationId: 'int_1' }, orderPaymentId);
    this.hostApp.books.settle(orderPaymentId, 'in_process');
    return orderPaymentId;
  }

  /** Begins due polls, turn after turn, and waits for its end, until there is no more. */
  async beat(): Promise<void> {
    const begun = await this.begin();
    await Promise.all(begun);
    if (begun.length > 0) await this.beat();
  }

  private async begin(): Promise<readonly Promise<void>[]> {
    const begun = await this.reconcile.execute({ limit: 64 });
    if (begun.length === 0) return begun;
    this.turn();
    return [...begun, ...(await this.begin())];
  }

  /** The next turn comes while the clock stands still. */
  private turn(): void {
    this.asks.bringNearer({ clientId: anIntegration().hostApp.id, integrationId: '', ms: pollRules.turnMs });
  }

  /** Looks each `stepMs` until so much time has gone by. */
  async live(forMs: number, stepMs = 10 * second): Promise<void> {
    for (let gone = 0; gone < forMs; gone += stepMs) {
      this.clock.advance(stepMs);
      await this.beat();
    }
  }

  /** When the host app was asked, in milliseconds since the desk began. */
  get asked(): number[] {
    return this.hostApp.askedAt.map((at) => at - this.began);
  }

  statusOf = async (orderPaymentId: string) => (await this.payments.find({ integrationId: 'int_1', orderPaymentId }))?.status;
}

describe('the plan', () => {
  it('asks at 1, 2, 5, 15 and 60 minutes, then each hour to 24 h, exactly, and no more', async () => {
    const desk = new Desk();
    const id = await desk.opened();
    await desk.live(30 * hour);
    const hours = Array.from({ length: 24 }, (_, i) => (i + 1) * hour);
    expect(desk.asked).toEqual([1 * minute, 2 * minute, 5 * minute, 15 * minute, ...hours]);
    expect(await desk.statusOf(id)).toBe('in_process');
    expect(desk.payments.owed).toEqual([]);
  });

  it('asks once for what was missed, and goes on by the plan', async () => {
    const desk = new Desk();
    await desk.opened();
    desk.clock.advance(40 * minute);
    await desk.beat();
    await desk.live(hour);
    expect(desk.asked).toEqual([40 * minute, 60 * minute]);
  });

  it('asks late what fell due in the 24 hours, once, and never what is older than seven days', async () => {
    const desk = new Desk();
    const [late, old] = [new Desk(), new Desk()];
    for (const one of [desk, late, old]) await one.opened();
    late.clock.advance(3 * 24 * hour);
    old.clock.advance(7 * 24 * hour + 1);
    for (const one of [late, old]) await one.live(3 * hour);
    expect(late.asked).toEqual([3 * 24 * hour + 10 * second]);
    expect(old.asked).toEqual([]);
    expect(old.log.of('reconcile.given-up')).toEqual([{ count: 1 }]);
  });
});

describe('an answer', () => {
  it.each(['paid', 'cancelled', 'failed'] as const)(
    'that says %s settles the payment, owes it to the miniapp once and rings',
    async (word) => {
      const desk = new Desk();
      const id = await desk.opened();
      const customAttributes = readJsonText('{"z":1.10}') as JsonObject;
      desk.hostApp.books.settle(id, word, { failReason: 'none', customAttributes });
      await desk.live(2 * hour);
      expect(desk.asked).toEqual([minute]);
      expect(await desk.statusOf(id)).toBe(word);
      const [exchange] = desk.exchanges.exchanges;
      const at = desk.began + minute;
      const completion = {
        ...{ clientId: 'host_abc123def456', appId: 'app_abc123', orderPaymentId: id, word, failReason: 'none', customAttributes },
        ...{ requestId: exchange?.requestId, at },
      };
      expect(desk.payments.owed).toEqual([{ id: 'pay_1', integrationId: 'int_1', completion }]);
      expect(desk.rung).toEqual(['miniapp:app_abc123:completion']);
      expect(desk.ends).toEqual([{ askedAt: at, outcome: word, nextAfterMs: 2 * minute, isWell: true }]);
    },
  );

  it('leaves an exchange with its leg, whatever it says', async () => {
    const desk = new Desk();
    await desk.opened('user-12345');
    await desk.live(minute);
    desk.hostApp.refuse('BUSY');
    await desk.live(minute);
    const of = { call: 'reconcile', clientId: 'host_abc123def456', appId: 'app_abc123', reference: 'us****45' };
    const leg = { to: 'hostapp', step: 'status', attempt: 1 };
    expect(desk.exchanges.exchanges).toMatchObject([
      { ...of, at: desk.began + minute, status: 200, errorCode: undefined, legs: [{ ...leg, status: 200 }] },
      { ...of, status: 400, errorCode: 'BUSY', failedSide: 'hostapp', failedStep: 'status', legs: [leg] },
    ]);
    expect(new Set(desk.exchanges.exchanges.flatMap(({ id, requestId }) => [id, requestId])).size).toBe(4);
    expect(desk.ends.map(({ outcome }) => outcome)).toEqual(['in_process', 'BUSY']);
  });

  it('that comes after another result is a conflict, and one that says the same with other words a difference', async () => {
    const desk = new Desk();
    const ids = [await desk.opened(), await desk.opened()];
    for (const id of ids) desk.hostApp.books.settle(id, 'paid', { failReason: 'late' });
    desk.hostApp.meanwhileAsked = async () => {
      for (const [i, orderPaymentId] of ids.entries()) {
        const said = { clientId: 'h', appId: 'a', orderPaymentId, word: i === 0 ? 'failed' : 'paid', requestId: 'r', at: 1 } as const;
        await desk.payments.settle({ integrationId: 'int_1', orderPaymentId }, (payment) => settle(payment, said));
      }
    };
    await desk.live(2 * minute);
    expect([desk.payments.owed.length, desk.asked.length, desk.rung]).toEqual([2, 2, []]);
    expect(desk.payments.disagreements.map(({ kind, orderPaymentId }) => [orderPaymentId, kind]).sort()).toEqual([
      ['op-1', 'conflict'],
      ['op-2', 'difference'],
    ]);
    expect(desk.exchanges.exchanges.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      [400, 'INVALID_PAYMENT_STATUS'],
      [200, undefined],
    ]);
  });

  it('is asked for as the payment’s user, where the host app wants that', async () => {
    const desk = new Desk({}, { useAccessToken: true });
    desk.users.knows('mia', ['old', 'new']);
    desk.hostApp.books.rejectToken('old');
    const id = await desk.opened('mia');
    await desk.opened('nobody');
    desk.hostApp.books.settle(id, 'paid');
    await desk.live(minute);
    expect(await desk.statusOf(id)).toBe('paid');
    expect(desk.hostApp.lookups.map(({ user }) => [user?.reference, user?.accessToken.reveal()])).toEqual([
      ['mia', 'old'],
      ['mia', 'new'],
    ]);
    expect(desk.exchanges.exchanges.map(({ errorCode }) => errorCode).sort()).toEqual(['HOSTAPP_USER_NOT_FOUND', undefined]);
  });
});

describe('nobody is asked', () => {
  const off = { sso: true, payments: false, events: true };
  it.each([
    ['reconcile is off', { reconcile: false }, {}, 'FEATURE_DISABLED_IN_INTEGRATION'],
    ['payments are off', {}, { features: off }, 'FEATURE_DISABLED_IN_HOSTAPP'],
    ['payments are off between the two', { features: off }, {}, 'FEATURE_DISABLED_IN_INTEGRATION'],
    ['the integration is suspended', { status: 'suspended' } as const, {}, 'NO_INTEGRATION'],
    ['the host app has no URL for it', {}, { endpoints: {} }, 'ENDPOINT_URL_NOT_SET'],
  ])('while %s; the plan goes on', async (_what, settings, hostApp, outcome) => {
    const desk = new Desk(settings, hostApp);
    await desk.opened();
    await desk.live(10 * minute);
    expect([desk.asked, desk.exchanges.exchanges]).toEqual([[], []]);
    expect(desk.ends).toEqual([2, 5, 15].map((minutes) => ({ outcome, nextAfterMs: minutes * minute })));
    desk.agree();
    await desk.live(10 * minute);
    expect(desk.asked).toEqual([15 * minute]);
  });

  it('when the integration is gone', async () => {
    const desk = new Desk();
    await desk.opened();
    desk.registry.agreements.clear();
    await desk.live(48 * hour, minute);
    expect([desk.asked.length, desk.ends.length, desk.ends.at(-1)]).toEqual([
      0,
      askTimesMs.length,
      { outcome: 'NO_INTEGRATION', nextAfterMs: undefined },
    ]);
  });
});

describe('a host app in trouble', () => {
  it('is left alone for growing times, one ask at a time, and caught up with when it is back', async () => {
    const desk = new Desk();
    const count = 40;
    for (let i = 0; i < count; i++) await desk.opened();
    desk.hostApp.trouble = { status: 502 };
    await desk.live(6 * hour);
    // As many as a new host app has at once were under way when the trouble was first seen; then one each time.
    const asked = [...new Set(desk.asked)];
    const gaps = asked.slice(1).map((at, i) => at - asked[i]!);
    expect(gaps.slice(0, 6)).toEqual(askRules.quietMs.slice(0, 6));
    expect(new Set(gaps.slice(6))).toEqual(new Set([hour]));
    expect(desk.asked.length).toBeLessThan(asked.length + pollRules.startPerSecond);
    desk.hostApp.trouble = undefined;
    desk.hostApp.askedAt.length = 0;
    await desk.live(hour + minute, second / 2);
    expect(desk.asked.length).toBeGreaterThanOrEqual(count);
  });

  it('is asked more slowly and not left alone where it answers 5xx now and then, once it has borne more than a new one', async () => {
    const desk = new Desk();
    for (let i = 0; i < 80; i++) await desk.opened();
    desk.clock.advance(minute);
    await desk.beat();
    desk.hostApp.trouble = { status: 503 };
    await desk.opened();
    desk.clock.advance(minute);
    await Promise.all(await desk.reconcile.execute({ limit: 1 }));
    expect(desk.ends.at(-1)?.trouble).toEqual({ quietMs: 30 * second, isAway: false });
    desk.hostApp.trouble = undefined;
    const before = desk.asked.length;
    await desk.live(second, second);
    expect(desk.asked.length).toBeGreaterThan(before);
  });

  it.each([
    ['as long as it asks for', 600, 10 * minute],
    ['ten hours at most', 1_000_000, 10 * hour],
    ['no less than otherwise', 1, minute],
  ])('is left alone %s', async (_what, retryAfterS, waitMs) => {
    const desk = new Desk();
    await desk.opened();
    desk.hostApp.trouble = { status: 429, retryAfterS };
    await desk.live(minute);
    desk.hostApp.trouble = undefined;
    for (let i = 0; i < 5; i++) await desk.opened();
    await desk.live(11 * hour);
    expect(desk.asked.slice(0, 2)).toEqual([minute, minute + waitMs]);
  });

  it('that was away for the last ask is asked each hour until it answers, seven days at most', async () => {
    const desk = new Desk();
    const id = await desk.opened();
    desk.clock.advance(24 * hour - 10 * second);
    desk.hostApp.trouble = {};
    await desk.live(3 * hour);
    expect(desk.asked).toEqual([24 * hour, 25 * hour, 26 * hour, 27 * hour].slice(0, desk.asked.length));
    desk.hostApp.trouble = undefined;
    desk.hostApp.books.settle(id, 'paid');
    await desk.live(2 * hour);
    expect(await desk.statusOf(id)).toBe('paid');
    const never = new Desk();
    await never.opened();
    never.hostApp.trouble = {};
    await never.live(9 * 24 * hour, 10 * minute);
    expect(never.asked.at(-1)).toBeLessThanOrEqual(7 * 24 * hour);
    expect(never.asked.at(-1)).toBeGreaterThan(6 * 24 * hour);
  });

  it('is not seen in a refusal, nor in words that are none', async () => {
    const desk = new Desk();
    const [refused] = [await desk.opened(), await desk.opened()];
    desk.hostApp.books.mumble(refused, 'perhaps');
    await desk.live(5 * minute);
    expect(desk.asked).toEqual([minute, minute, 2 * minute, 2 * minute, 5 * minute, 5 * minute]);
    expect(desk.ends[0]).toMatchObject({ outcome: 'INVALID_PAYMENT_STATUS_RESPONSE' });
  });
});

it('leaves an ask to the next who claims it while the database is away, and says what is a fault of ours', async () => {
  const desk = new Desk();
  const id = await desk.opened();
  desk.hostApp.books.settle(id, 'paid');
  const { settle: keep } = desk.payments;
  desk.payments.settle = () => Promise.reject(new Unavailable('database-away'));
  await desk.live(minute);
  expect([desk.ends, desk.exchanges.exchanges.map(({ status }) => status)]).toEqual([[], [503]]);
  expect(desk.log.of('reconcile.fault')).toHaveLength(1);
  desk.payments.settle = () => Promise.reject(new Error('x'));
  await desk.live(30 * second);
  expect([desk.ends.map(({ outcome }) => outcome), desk.exchanges.exchanges.map(({ status }) => status)]).toEqual([
    ['UNKNOWN_ERROR'],
    [503, 500],
  ]);
  desk.payments.settle = keep;
  await desk.live(minute);
  expect(await desk.statusOf(id)).toBe('paid');
});

it('says once that a result was never claimed by a payment', async () => {
  const desk = new Desk();
  await desk.payments.intend({
    id: 'pay_x',
    integrationId: 'int_1',
    order: { facts: { currency: 'USD', amount: '1' }, relayed },
    at: desk.clock.now(),
  });
  const said = { clientId: 'h', appId: 'a', orderPaymentId: 'op-x', word: 'paid', requestId: 'r', at: desk.clock.now() } as const;
  await desk.payments.settle({ integrationId: 'int_1', orderPaymentId: 'op-x' }, (payment) => settle(payment, said));
  await desk.live(24 * hour, minute);
  expect(desk.log.of('payment.unmatched')).toEqual([]);
  await desk.live(3 * hour, minute);
  expect(desk.log.of('payment.unmatched')).toEqual([{ count: 1 }]);
});

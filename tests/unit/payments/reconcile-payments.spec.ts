import { MemoryExchangeLog } from '../../../src/adapters/out/memory/exchanges/memory-exchange-log';
import { MemoryOrderPaymentRepository } from '../../../src/adapters/out/memory/payments/memory-order-payment-repository';
import { MemoryPartnerDirectory } from '../../../src/adapters/out/memory/partners/memory-partner-directory';
import { MemoryStatusPollRepository } from '../../../src/adapters/out/memory/payments/memory-status-poll-repository';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import type { Relay } from '../../../src/domain/exchanges/exchange';
import type { HostAppSettings } from '../../../src/domain/partners/host-app';
import type { IntegrationSettings } from '../../../src/domain/partners/integrations/integration';
import { pollPlanRules, pollTimesMs } from '../../../src/domain/payments/poll-plan';
import { pollRules } from '../../../src/domain/payments/poll-pace';
import { settle } from '../../../src/domain/payments/order-payment';
import type { PollEnd } from '../../../src/domain/payments/status-poll-repository';
import type { StatusReport } from '../../../src/domain/payments/ports';
import { ReconcilePayments } from '../../../src/domain/payments/reconcile-payments';
import { Unavailable } from '../../../src/domain/shared/errors';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { FakeHostAppPaymentGateway } from '../../fakes/fake-host-app-payment-gateway';
import { FakeStoredUsers } from '../../fakes/fake-stored-users';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const endpoints = { getOrderPaymentStatus: 'https://host.example/status' };
const relayed = readJsonText('{}') as JsonObject;

/** A host app that answers by its own records, or as set: each call leaves a leg, as the way over HTTP does. */
class TracingHostApp extends FakeHostAppPaymentGateway {
  trouble: { status?: number; retryAfterS?: number } | undefined;
  readonly polledAt: number[] = [];
  duringPoll: () => Promise<void> = async () => undefined;

  constructor(private readonly clock: ManualClock) {
    super();
  }

  override async status(relay: Relay, ...args: [Parameters<FakeHostAppPaymentGateway['status']>[1], { orderPaymentId: string }]) {
    this.polledAt.push(this.clock.now());
    await this.duringPoll();
    const leg = { to: 'hostapp', step: 'status', attempt: 1, startedAt: this.clock.now(), ms: 0 } as const;
    const record = (more: object): void => {
      relay.trace.leg({ ...leg, ...more });
    };
    if (this.trouble) this.vanish();
    try {
      const report: StatusReport = await super.status(relay, ...args);
      record({ status: 200 });
      return report;
    } catch (error) {
      record(this.trouble ? { cause: 'reset', ...this.trouble } : { status: 200, errorCode: 'x' });
      throw error;
    } finally {
      this.recover();
    }
  }
}

/** Payments in memory, a host app with set states, and time that moves when told. */
class Fixture {
  readonly clock = new ManualClock();
  readonly began = this.clock.now();
  readonly ids = new CountingIds();
  readonly registry = new MemoryRegistry();
  readonly payments = new MemoryOrderPaymentRepository(this.clock);
  readonly polls = new MemoryStatusPollRepository({ clock: this.clock, ids: this.ids, payments: this.payments });
  readonly ends: PollEnd[] = [];
  readonly hostApp = new TracingHostApp(this.clock);
  readonly users = new FakeStoredUsers();
  readonly exchanges = new MemoryExchangeLog();
  readonly log = new CollectingLog();
  readonly rung: (string | undefined)[] = [];
  readonly reconcile = new ReconcilePayments({
    ...{ payments: this.payments, hostApp: this.hostApp, users: this.users, exchanges: this.exchanges },
    polls: {
      claimDue: (request) => this.polls.claimDue(request),
      endOverdue: (age) => this.polls.endOverdue(age),
      finish: (claim, end) => (this.ends.push(end), this.polls.finish(claim, end)),
    },
    directory: new MemoryPartnerDirectory(this.registry),
    notifier: { notify: (queue) => void this.rung.push(queue) },
    ...{ clock: this.clock, ids: this.ids, log: this.log, timesMs: pollTimesMs, timeoutMs: 20_000, maxPerSecond: 200 },
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
    const integrationRecord = { id: 'int_1', clientId, appId, version: 1, settings: { ...integration.settings, ...settings } };
    this.registry.integrations.set(`${clientId}/${appId}`, integrationRecord);
  }

  /** A payment that was opened now; its id at the host app. */
  async opened(hostappUserId?: string): Promise<string> {
    const id = `pay_${String(++this.made)}`;
    const orderPaymentId = `op-${String(this.made)}`;
    const at = this.clock.now();
    const order = { fields: { currency: 'USD', amount: '1', hostappUserId }, relayed };
    const plan = { clientId: anIntegration().hostApp.id, firstPollAt: at + (pollTimesMs[0] ?? 0) };
    await this.payments.intend({ id, integrationId: 'int_1', order, at, ...plan });
    await this.payments.open({ id, integrationId: 'int_1' }, orderPaymentId);
    this.hostApp.records.settle(orderPaymentId, 'in_process');
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
    this.polls.bringNearer({ clientId: anIntegration().hostApp.id, integrationId: '', ms: pollRules.turnMs });
  }

  /** Looks each `stepMs` until so much time has gone by. */
  async live(forMs: number, stepMs = 10 * second): Promise<void> {
    for (let gone = 0; gone < forMs; gone += stepMs) {
      this.clock.advance(stepMs);
      await this.beat();
    }
  }

  /** When the host app was asked, in milliseconds since the desk began. */
  get polledAfter(): number[] {
    return this.hostApp.polledAt.map((at) => at - this.began);
  }

  statusOf = async (orderPaymentId: string) => (await this.payments.find({ integrationId: 'int_1', orderPaymentId }))?.status;
}

describe('the plan', () => {
  it('polls after 1, 2, 5, 15 and 60 minutes, then each hour up to 24 h', async () => {
    const fixture = new Fixture();
    const id = await fixture.opened();
    await fixture.live(30 * hour);
    const hours = Array.from({ length: 24 }, (_, i) => (i + 1) * hour);
    expect(fixture.polledAfter).toEqual([1 * minute, 2 * minute, 5 * minute, 15 * minute, ...hours]);
    expect(await fixture.statusOf(id)).toBe('in_process');
    expect(fixture.payments.pending).toEqual([]);
  });

  it('polls once for missed polls, and then continues the plan', async () => {
    const fixture = new Fixture();
    await fixture.opened();
    fixture.clock.advance(40 * minute);
    await fixture.beat();
    await fixture.live(hour);
    expect(fixture.polledAfter).toEqual([40 * minute, 60 * minute]);
  });

  it('polls once for all that fell due in the 24 hours, but for nothing older than seven days', async () => {
    const fixture = new Fixture();
    const [late, old] = [new Fixture(), new Fixture()];
    for (const one of [fixture, late, old]) await one.opened();
    late.clock.advance(3 * 24 * hour);
    old.clock.advance(7 * 24 * hour + 1);
    for (const one of [late, old]) await one.live(3 * hour);
    expect(late.polledAfter).toEqual([3 * 24 * hour + 10 * second]);
    expect(old.polledAfter).toEqual([]);
    expect(old.log.of('reconcile.given-up')).toEqual([{ count: 1 }]);
  });
});

describe('an answer', () => {
  it.each(['paid', 'cancelled', 'failed'] as const)(
    'that says %s settles the payment, queues it for the miniapp once and rings',
    async (word) => {
      const fixture = new Fixture();
      const id = await fixture.opened();
      const customAttributes = readJsonText('{"z":1.10}') as JsonObject;
      fixture.hostApp.records.settle(id, word, { failReason: 'none', customAttributes });
      await fixture.live(2 * hour);
      expect(fixture.polledAfter).toEqual([minute]);
      expect(await fixture.statusOf(id)).toBe(word);
      const [exchange] = fixture.exchanges.exchanges;
      const at = fixture.began + minute;
      const completion = {
        ...{ clientId: 'host_abc123def456', appId: 'app_abc123', orderPaymentId: id, word, failReason: 'none', customAttributes },
        ...{ requestId: exchange?.requestId, at },
      };
      expect(fixture.payments.pending).toEqual([{ id: 'pay_1', integrationId: 'int_1', completion }]);
      expect(fixture.rung).toEqual(['miniapp:app_abc123:completion']);
      expect(fixture.ends).toEqual([{ polledAt: at, outcome: word, nextAfterMs: 2 * minute, isWell: true }]);
    },
  );

  it('leaves an exchange with its leg, whatever it says', async () => {
    const fixture = new Fixture();
    await fixture.opened('user-12345');
    await fixture.live(minute);
    fixture.hostApp.refuse('BUSY');
    await fixture.live(minute);
    const of = { call: 'reconcile', clientId: 'host_abc123def456', appId: 'app_abc123', reference: 'us****45' };
    const leg = { to: 'hostapp', step: 'status', attempt: 1 };
    expect(fixture.exchanges.exchanges).toMatchObject([
      { ...of, at: fixture.began + minute, status: 200, errorCode: undefined, legs: [{ ...leg, status: 200 }] },
      { ...of, status: 400, errorCode: 'BUSY', failedSide: 'hostapp', failedStep: 'status', legs: [leg] },
    ]);
    expect(new Set(fixture.exchanges.exchanges.flatMap(({ id, requestId }) => [id, requestId])).size).toBe(4);
    expect(fixture.ends.map(({ outcome }) => outcome)).toEqual(['in_process', 'BUSY']);
  });

  it('is a conflict if it contradicts the result, and a difference if only words differ', async () => {
    const fixture = new Fixture();
    const ids = [await fixture.opened(), await fixture.opened()];
    for (const id of ids) fixture.hostApp.records.settle(id, 'paid', { failReason: 'late' });
    fixture.hostApp.duringPoll = async () => {
      for (const [i, orderPaymentId] of ids.entries()) {
        const reported = { clientId: 'h', appId: 'a', orderPaymentId, word: i === 0 ? 'failed' : 'paid', requestId: 'r', at: 1 } as const;
        await fixture.payments.settle({ integrationId: 'int_1', orderPaymentId }, (payment) => settle(payment, reported));
      }
    };
    await fixture.live(2 * minute);
    expect([fixture.payments.pending.length, fixture.polledAfter.length, fixture.rung]).toEqual([2, 2, []]);
    expect(fixture.payments.disagreements.map(({ kind, orderPaymentId }) => [orderPaymentId, kind]).sort()).toEqual([
      ['op-1', 'conflict'],
      ['op-2', 'difference'],
    ]);
    expect(fixture.exchanges.exchanges.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      [400, 'INVALID_PAYMENT_STATUS'],
      [200, undefined],
    ]);
  });

  it('is requested as the payment’s user if the host app requires that', async () => {
    const fixture = new Fixture({}, { useAccessToken: true });
    fixture.users.knows('mia', ['old', 'new']);
    fixture.hostApp.records.rejectToken('old');
    const id = await fixture.opened('mia');
    await fixture.opened('nobody');
    fixture.hostApp.records.settle(id, 'paid');
    await fixture.live(minute);
    expect(await fixture.statusOf(id)).toBe('paid');
    expect(fixture.hostApp.lookups.map(({ user }) => [user?.reference, user?.accessToken.reveal()])).toEqual([
      ['mia', 'old'],
      ['mia', 'new'],
    ]);
    expect(fixture.exchanges.exchanges.map(({ errorCode }) => errorCode).sort()).toEqual(['HOSTAPP_USER_NOT_FOUND', undefined]);
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
    const fixture = new Fixture(settings, hostApp);
    await fixture.opened();
    await fixture.live(10 * minute);
    expect([fixture.polledAfter, fixture.exchanges.exchanges]).toEqual([[], []]);
    expect(fixture.ends).toEqual([2, 5, 15].map((minutes) => ({ outcome, nextAfterMs: minutes * minute })));
    fixture.agree();
    await fixture.live(10 * minute);
    expect(fixture.polledAfter).toEqual([15 * minute]);
  });

  it('when the integration is gone', async () => {
    const fixture = new Fixture();
    await fixture.opened();
    fixture.registry.integrations.clear();
    await fixture.live(48 * hour, minute);
    expect([fixture.polledAfter.length, fixture.ends.length, fixture.ends.at(-1)]).toEqual([
      0,
      pollTimesMs.length,
      { outcome: 'NO_INTEGRATION', nextAfterMs: undefined },
    ]);
  });
});

describe('a host app in trouble', () => {
  it('is polled at growing intervals, one poll at a time, until it is back', async () => {
    const fixture = new Fixture();
    const count = 40;
    for (let i = 0; i < count; i++) await fixture.opened();
    fixture.hostApp.trouble = { status: 502 };
    await fixture.live(6 * hour);
    // As many as a new host app has at once were under way when the trouble was first seen; then one each time.
    const pollTimes = [...new Set(fixture.polledAfter)];
    const gaps = pollTimes.slice(1).map((at, i) => at - pollTimes[i]!);
    expect(gaps.slice(0, 6)).toEqual(pollPlanRules.backoffMs.slice(0, 6));
    expect(new Set(gaps.slice(6))).toEqual(new Set([hour]));
    expect(fixture.polledAfter.length).toBeLessThan(pollTimes.length + pollRules.startPerSecond);
    fixture.hostApp.trouble = undefined;
    fixture.hostApp.polledAt.length = 0;
    await fixture.live(hour + minute, second / 2);
    expect(fixture.polledAfter.length).toBeGreaterThanOrEqual(count);
  });

  it('is polled more slowly, but not paused, after a few 5xx once it has taken a higher rate', async () => {
    const fixture = new Fixture();
    for (let i = 0; i < 80; i++) await fixture.opened();
    fixture.clock.advance(minute);
    await fixture.beat();
    fixture.hostApp.trouble = { status: 503 };
    await fixture.opened();
    fixture.clock.advance(minute);
    await Promise.all(await fixture.reconcile.execute({ limit: 1 }));
    expect(fixture.ends.at(-1)?.trouble).toEqual({ backoffMs: 30 * second, isAway: false });
    fixture.hostApp.trouble = undefined;
    const before = fixture.polledAfter.length;
    await fixture.live(second, second);
    expect(fixture.polledAfter.length).toBeGreaterThan(before);
  });

  it.each([
    ['as long as it asks for', 600, 10 * minute],
    ['ten hours at most', 1_000_000, 10 * hour],
    ['no less than otherwise', 1, minute],
  ])('is left alone %s', async (_what, retryAfterS, waitMs) => {
    const fixture = new Fixture();
    await fixture.opened();
    fixture.hostApp.trouble = { status: 429, retryAfterS };
    await fixture.live(minute);
    fixture.hostApp.trouble = undefined;
    for (let i = 0; i < 5; i++) await fixture.opened();
    await fixture.live(11 * hour);
    expect(fixture.polledAfter.slice(0, 2)).toEqual([minute, minute + waitMs]);
  });

  it('is polled each hour, for seven days at most, if it was away for the last poll', async () => {
    const fixture = new Fixture();
    const id = await fixture.opened();
    fixture.clock.advance(24 * hour - 10 * second);
    fixture.hostApp.trouble = {};
    await fixture.live(3 * hour);
    expect(fixture.polledAfter).toEqual([24 * hour, 25 * hour, 26 * hour, 27 * hour].slice(0, fixture.polledAfter.length));
    fixture.hostApp.trouble = undefined;
    fixture.hostApp.records.settle(id, 'paid');
    await fixture.live(2 * hour);
    expect(await fixture.statusOf(id)).toBe('paid');
    const never = new Fixture();
    await never.opened();
    never.hostApp.trouble = {};
    await never.live(9 * 24 * hour, 10 * minute);
    expect(never.polledAfter.at(-1)).toBeLessThanOrEqual(7 * 24 * hour);
    expect(never.polledAfter.at(-1)).toBeGreaterThan(6 * 24 * hour);
  });

  it('is not seen in a refusal, nor in words that are none', async () => {
    const fixture = new Fixture();
    const [refused] = [await fixture.opened(), await fixture.opened()];
    fixture.hostApp.records.mumble(refused, 'perhaps');
    await fixture.live(5 * minute);
    expect(fixture.polledAfter).toEqual([minute, minute, 2 * minute, 2 * minute, 5 * minute, 5 * minute]);
    expect(fixture.ends[0]).toMatchObject({ outcome: 'INVALID_PAYMENT_STATUS_RESPONSE' });
  });
});

it('leaves a poll to the next claim if the database is away', async () => {
  const fixture = new Fixture();
  const id = await fixture.opened();
  fixture.hostApp.records.settle(id, 'paid');
  const { settle: keep } = fixture.payments;
  fixture.payments.settle = () => Promise.reject(new Unavailable('database-away'));
  await fixture.live(minute);
  expect([fixture.ends, fixture.exchanges.exchanges.map(({ status }) => status)]).toEqual([[], [503]]);
  expect(fixture.log.of('reconcile.fault')).toHaveLength(1);
  fixture.payments.settle = () => Promise.reject(new Error('x'));
  await fixture.live(30 * second);
  expect([fixture.ends.map(({ outcome }) => outcome), fixture.exchanges.exchanges.map(({ status }) => status)]).toEqual([
    ['UNKNOWN_ERROR'],
    [503, 500],
  ]);
  fixture.payments.settle = keep;
  await fixture.live(minute);
  expect(await fixture.statusOf(id)).toBe('paid');
});

it('says once that a result was never claimed by a payment', async () => {
  const fixture = new Fixture();
  await fixture.payments.intend({
    id: 'pay_x',
    integrationId: 'int_1',
    clientId: 'host_1',
    order: { fields: { currency: 'USD', amount: '1' }, relayed },
    at: fixture.clock.now(),
  });
  const reported = { clientId: 'h', appId: 'a', orderPaymentId: 'op-x', word: 'paid', requestId: 'r', at: fixture.clock.now() } as const;
  await fixture.payments.settle({ integrationId: 'int_1', orderPaymentId: 'op-x' }, (payment) => settle(payment, reported));
  await fixture.live(24 * hour, minute);
  expect(fixture.log.of('payment.unmatched')).toEqual([]);
  await fixture.live(3 * hour, minute);
  expect(fixture.log.of('payment.unmatched')).toEqual([{ count: 1 }]);
});

import type { OutboxEvent } from '../../../src/domain/deliveries/ports';
import { RelayEvent } from '../../../src/domain/events/relay-event';
import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { refusal, Unavailable } from '../../../src/domain/shared/errors';
import { JsonNumber, JsonObject } from '../../../src/domain/shared/json';
import { printJson } from '../../../src/domain/shared/print-json';
import { FakeEventGateway } from '../../fakes/fake-event-gateway';
import { aRelay } from '../../support/a-relay';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';

const endpoints = { eventsBridge: 'https://partner.example/events' };
const payload = JsonObject.of({ total: new JsonNumber('1.10') });

function house() {
  const clock = new ManualClock();
  const gateway = new FakeEventGateway();
  const log: (OutboxEvent | 'rung')[] = [];
  let away = false;
  const outbox = {
    add: async (event: OutboxEvent) => {
      if (away) throw new Unavailable('database');
      await new Promise(setImmediate);
      log.push(event);
    },
  };
  const relayEvent = new RelayEvent({ gateway, outbox, notifier: { notify: () => void log.push('rung') }, ids: new CountingIds(), clock });
  const send = (integration: Integration, receiver: 'hostapp' | 'miniapp' = 'miniapp', orderingKey?: string) =>
    relayEvent.execute({ relay: aRelay(clock), integration, receiver, type: 'cart.changed', payload, orderingKey });
  return { clock, gateway, log, send, loseDatabase: () => void (away = true) };
}

const pair = (settings: Partial<Integration['settings']> = {}): Integration => {
  const integration = anIntegration({ hostApp: aHostApp({ endpoints }), miniapp: aMiniapp({ endpoints }) });
  return { ...integration, settings: { ...integration.settings, ...settings } };
};

const whole = '{"app_id":"app_abc123","client_id":"host_abc123def456","event_type":"cart.changed","payload":{"total":1.10}}';

describe('RelayEvent: relay', () => {
  it.each(['hostapp', 'miniapp'] as const)('gives the %s the four members and no more, and brings its answer back', async (receiver) => {
    const { gateway, log, send } = house();
    gateway.answers('{"error_code":"OK_NOT","n":1.10}');
    const relayed = await send(pair(), receiver, 'key');
    expect(gateway.received.map((one) => [one.receiver, printJson(one.body)])).toEqual([[receiver, whole]]);
    expect('answer' in relayed && printJson(relayed.answer)).toBe('{"error_code":"OK_NOT","n":1.10}');
    expect(log).toEqual([]);
  });

  it('answers {} if the receiver sends no body, and null if it sends null', async () => {
    const { gateway, send } = house();
    expect(await send(pair())).toEqual({ answer: new JsonObject(new Map()) });
    gateway.answers('null');
    expect(await send(pair())).toEqual({ answer: null });
  });

  it.each([
    ['another status', (gateway: FakeEventGateway) => gateway.fails(500), 'partner-garbled', 'http-500'],
    ['no answer', (gateway: FakeEventGateway) => gateway.vanish(), 'partner-unreachable', 'reset'],
    ['a refusal on the way', (gateway: FakeEventGateway) => gateway.refuse('NO_TOKEN'), 'partner-refused', undefined],
  ])('says EVENT_DELIVERY_FAILED for %s', async (_what, misbehave, kind, cause) => {
    const { gateway, send } = house();
    misbehave(gateway);
    const details = { side: 'hostapp', step: 'event', ...(cause !== undefined && { cause }) };
    await expect(send(pair(), 'hostapp')).rejects.toMatchObject({ kind, code: 'EVENT_DELIVERY_FAILED', details });
  });

  it("passes on errors that are not the receiver's", async () => {
    const { gateway, send } = house();
    gateway.relay = () => Promise.reject(refusal('invalid', 'MISSING_REQUEST_SIGNATURE_SETTINGS'));
    await expect(send(pair())).rejects.toMatchObject({ kind: 'invalid', code: 'MISSING_REQUEST_SIGNATURE_SETTINGS' });
  });
});

describe('RelayEvent: durable', () => {
  it('queues the event before it notifies, and calls no partner', async () => {
    const { gateway, log, send } = house();
    expect(await send(pair({ eventDelivery: 'durable' }), 'hostapp', 'cart-7')).toEqual({ eventId: 'id000001' });
    const [pending, rung] = log as [OutboxEvent, string];
    expect(rung).toBe('rung');
    expect(pending).toMatchObject({
      id: 'id000001',
      integrationId: 'int_1',
      receiver: 'hostapp',
      orderingKey: 'cart-7',
      requestId: 'req-1',
    });
    expect(printJson(pending.body)).toBe(whole);
    expect(gateway.received).toEqual([]);
  });

  it('fails without a notice if the event could not be stored', async () => {
    const { log, send, loseDatabase } = house();
    loseDatabase();
    await expect(send(pair({ eventDelivery: 'durable' }))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(log).toEqual([]);
  });
});

describe('RelayEvent: no URL', () => {
  it.each(['relay', 'durable'] as const)('refuses with EVENT_RECEIVER_DISABLED (%s)', async (eventDelivery) => {
    const { gateway, log, send } = house();
    const { hostApp } = anIntegration();
    const integration = { ...pair({ eventDelivery }), hostApp };
    await expect(send(integration, 'hostapp')).rejects.toMatchObject({
      kind: 'invalid',
      code: 'EVENT_RECEIVER_DISABLED',
      details: { side: 'hostapp', setting: 'events_bridge_url' },
    });
    await expect(send(integration, 'miniapp')).resolves.toBeDefined();
    expect([gateway.received.length, log.length]).toEqual(eventDelivery === 'relay' ? [1, 0] : [0, 2]);
  });
});

import { MemoryDeliveries } from '../../../src/adapters/out/memory/deliveries/memory-deliveries';
import { MemoryPartnerDirectory } from '../../../src/adapters/out/memory/partners/memory-partner-directory';
import { MemoryRegistry } from '../../../src/adapters/out/memory/partners/memory-registry';
import { DeliverDue } from '../../../src/domain/deliveries/deliver-due';
import { endpointQueueRules } from '../../../src/domain/deliveries/endpoint-queue';
import { jitter, deliveryLastsMs, waitsMs } from '../../../src/domain/deliveries/schedule';
import type { PendingCompletion } from '../../../src/domain/payments/order-payment';
import { FakeDeliveryGateway } from '../../fakes/fake-delivery-gateway';
import { CollectingLog } from '../../support/collecting-log';
import { CountingIds } from '../../support/counting-ids';
import { ManualClock } from '../../support/manual-clock';
import { aPendingCompletion } from '../../support/outbox-events';
import { aHostApp, aMiniapp, anIntegration } from '../../support/partners/partners';

/** An instance on simulated time: it looks when the next is due, as the worker does; being alone, it has no other's claims to look for in between. */
class Instance {
  readonly clock = new ManualClock();
  readonly completions: PendingCompletion[] = [];
  readonly gateway = new FakeDeliveryGateway();
  readonly deliveries: MemoryDeliveries;
  private readonly deliverDue: DeliverDue;
  private next = 0;
  /** For how long the last attempt holds its slot. */
  private heldForMs = 0;

  constructor() {
    const registry = new MemoryRegistry();
    const { hostApp, miniapp, settings } = anIntegration({ hostApp: aHostApp() });
    const [clientId, appId] = [hostApp.id, miniapp.id];
    registry.hostApps.set(clientId, hostApp);
    registry.miniapps.set(appId, aMiniapp());
    registry.integrations.set(`${clientId}/${appId}`, { id: 'int_1', clientId, appId, version: 1, settings });
    const { clock, completions } = this;
    this.deliveries = new MemoryDeliveries({ clock, ids: new CountingIds(), registry, completions });
    this.deliverDue = new DeliverDue({
      ...{ queue: this.deliveries, directory: new MemoryPartnerDirectory(registry), gateway: this.gateway, clock },
      ...{
        notifier: { notify: () => undefined },
        pause: async (ms: number) => void (this.heldForMs = Math.max(this.heldForMs, ms)),
        chance: { next: () => (this.next = (this.next + 0.618) % 1) },
      },
      ...{ log: new CollectingLog(), timeoutMs: 15_000 },
    });
  }

  /** Until nothing is left to do, or until then. */
  async runUntil(end: number): Promise<void> {
    while (this.clock.now() < end) {
      const restMs = await this.deliverDue.restMs();
      if (restMs > 0) this.clock.advance(Math.min(await this.untilDueMs(restMs), end - this.clock.now()));
      else if ((await this.round()) === 0) this.clock.advance(1000);
    }
  }

  private async untilDueMs(otherwise: number): Promise<number> {
    const { inMs = otherwise } = await this.deliveries.nextDue([]);
    return Math.max(1, inMs);
  }

  private async round(): Promise<number> {
    const begun = await this.deliverDue.execute({ limit: 256 });
    await Promise.all(begun.map(({ done }) => done));
    this.clock.advance(this.heldForMs);
    this.heldForMs = 0;
    return begun.length;
  }
}

let instance: Instance;
beforeEach(() => {
  instance = new Instance();
});

it('R6: tries on the published schedule for seven days, then gives up', async () => {
  const { clock, completions, gateway, deliveries } = instance;
  gateway.answer({ status: 503 });
  const begun = clock.now();
  completions.push(aPendingCompletion('pay_1', begun));
  await instance.runUntil(begun + 8 * 24 * 3_600_000);
  const { state, endedAt } = (await deliveries.find('pay_1'))!;
  const { attempts } = deliveries.pending.find('pay_1')!;
  const tries = attempts.filter(({ reason }) => reason === 'schedule');
  const probes = attempts.length - tries.length;
  expect(state).toBe('failed');
  expect(endedAt! - begun).toBeLessThanOrEqual(deliveryLastsMs + endpointQueueRules.probeAfterMs);
  expect(tries.length).toBeGreaterThanOrEqual(20);
  // In trouble an endpoint is probed each 25 s, so a due delivery waits for the next probe at most.
  const late = endpointQueueRules.probeAfterMs;
  for (const [i, { at }] of tries.slice(1).entries()) {
    const published = waitsMs[i] ?? waitsMs.at(-1)!;
    const waited = at - tries[i]!.at;
    expect(waited).toBeGreaterThanOrEqual(published * (1 - jitter));
    expect(waited).toBeLessThanOrEqual(published * (1 + jitter) + late);
  }
  process.stdout.write(
    `R6: ${String(tries.length)} tries in seven days, each within 20 % of the schedule and the ${String(late / 1000)} s of a probe; ${String(probes)} probes beside it; then ${state}\n`,
  );
});

it.each([
  ['10 s', 10_000],
  ['10 min', 600_000],
])('R5: delivers 1,000 completions after the miniapp was away for %s, slowly at first', async (away, awayMs) => {
  const { clock, completions, gateway, deliveries } = instance;
  const begun = clock.now();
  const backAt = begun + awayMs;
  const received: number[] = [];
  gateway.behave(() => {
    if (clock.now() < backAt) return { status: 503 };
    received.push(clock.now() - backAt);
    return { status: 200 };
  });
  for (let i = 0; i < 1000; i++) completions.push(aPendingCompletion(`pay_${String(i)}`, begun + i));
  await instance.runUntil(backAt + 120_000);
  const states = await deliveries.list({ state: 'delivered' }, { limit: 2000 });
  const within = received.slice().sort((a, b) => a - b)[989]!;
  const peak = Math.max(...received.map((at) => received.filter((other) => other >= at && other < at + 1000).length));
  process.stdout.write(
    `R5 (simulated, ${away}): ${String(states.length)} of 1000 delivered, 99 % within ${(within / 1000).toFixed(1)} s of its return, at most ${String(peak)} in a second\n`,
  );
  expect([states.length, received.length]).toEqual([1000, 1000]);
  // The probe, and as many as the window has at first.
  expect(received.filter((at) => at < received[0]! + endpointQueueRules.heldForMs).length).toBeLessThanOrEqual(
    1 + endpointQueueRules.firstWindow,
  );
  expect(peak).toBeLessThanOrEqual((endpointQueueRules.quickSlots * 1000) / endpointQueueRules.heldForMs);
  expect(within).toBeLessThanOrEqual(awayMs === 10_000 ? 30_000 : 60_000);
});

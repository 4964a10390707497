import type { LookupAddress } from 'node:dns';
import { MemorySharedTaskStore } from '../../../src/adapters/out/memory/sso/memory-shared-task-store';
import { MemoryRefreshRepository } from '../../../src/adapters/out/memory/figures/memory-refresh-repository';
import { createPartnerHttp, type PartnerHttp, type PartnerHttpDeps } from '../../../src/adapters/out/partner-http/create-partner-http';
import type { Resolve } from '../../../src/adapters/out/partner-http/names/name-resolver';
import { OutboundGuard } from '../../../src/adapters/out/partner-http/outbound-guard';
import { HmacProvider } from '../../../src/adapters/out/signing/hmac-provider';
import { NodeIpAddressMatcher } from '../../../src/adapters/out/system/addresses';
import { SystemClock } from '../../../src/adapters/out/system/system-clock';
import type { PartnerIsolation } from '../../../src/domain/isolation/partner-isolation';
import type { Clock } from '../../../src/domain/shared/ports';
import { SharedTasks } from '../../../src/domain/shared/tasks/share-task';
import type { SharedTaskStore } from '../../../src/domain/shared/tasks/single-flight';
import { CountingIds } from '../counting-ids';
import { aSignRequest, noUses } from '../signatures/signing';

export interface MetricsServerOptions {
  readonly networks?: readonly string[];
  readonly allowHttp?: boolean;
  readonly connectTimeoutMs?: number;
  /** As createPartnerHttp takes it; no partner has options. */
  readonly optionsOf?: PartnerHttpDeps['optionsOf'];
  readonly clock?: Clock;
  /** Shared by several doors: several instances. */
  readonly store?: SharedTaskStore;
  /** Absent: calls are not bounded. */
  readonly isolation?: PartnerIsolation;
  /** How names are looked up; by the machine. */
  readonly resolve?: Resolve;
  /** What names resolve to; all of them. */
  readonly addresses?: (hostname: string) => readonly LookupAddress[];
}

export const clock = new SystemClock();
export const aStore = (): MemorySharedTaskStore => new MemorySharedTaskStore({ clock, ids: new CountingIds() });

/** A way to partners that may go to loopback by plain http. */
export function partnerHttp(options: MetricsServerOptions = {}): PartnerHttp & { readonly guard: OutboundGuard } {
  const {
    networks = ['127.0.0.0/8', '::1'],
    allowHttp = true,
    connectTimeoutMs = 3000,
    store = aStore(),
    addresses,
    resolve,
    isolation,
    optionsOf,
  } = options;
  const guard = new OutboundGuard({
    addresses: new NodeIpAddressMatcher(),
    rules: { allowHttp, networks },
    ...(resolve && { resolve }),
    ...(addresses && { resolve: (hostname, done) => setImmediate(() => done(null, addresses(hostname))) }),
  });
  const sharedTasks = new SharedTasks({ store, clock, pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) });
  const now = options.clock ?? clock;
  const signing = { signRequest: aSignRequest(now), hmac: new HmacProvider(), uses: noUses, refreshes: new MemoryRefreshRepository(now) };
  return {
    ...createPartnerHttp({ guard, clock: now, sharedTasks, store, connectTimeoutMs, isolation, optionsOf, ...signing }),
    guard,
  };
}

import type { LookupAddress } from 'node:dns';
import { MemoryFlightBoard } from '../../src/adapters/out/memory/memory-flight-board';
import { MemoryRefreshBook } from '../../src/adapters/out/memory/memory-refresh-book';
import { createPartnerHttp, type PartnerHttp, type PartnerHttpDeps } from '../../src/adapters/out/partner-http/create-partner-http';
import type { Resolve } from '../../src/adapters/out/partner-http/names/name-resolver';
import { OutboundGuard } from '../../src/adapters/out/partner-http/outbound-guard';
import { HmacProvider } from '../../src/adapters/out/signing/hmac-provider';
import { IpAddressBook } from '../../src/adapters/out/system/addresses';
import { SystemClock } from '../../src/adapters/out/system/system-clock';
import type { PartnerIsolation } from '../../src/domain/isolation/partner-isolation';
import type { Clock } from '../../src/domain/shared/ports';
import { SharedFlights } from '../../src/domain/shared/share-flight';
import type { FlightBoard } from '../../src/domain/shared/single-flight';
import { CountingIds } from './counting-ids';
import { aSignRequest, noUses } from './signing';

export interface DoorOptions {
  readonly networks?: readonly string[];
  readonly allowHttp?: boolean;
  readonly connectTimeoutMs?: number;
  /** As createPartnerHttp takes it; no partner has options. */
  readonly optionsOf?: PartnerHttpDeps['optionsOf'];
  readonly clock?: Clock;
  /** Shared by several doors: several instances. */
  readonly board?: FlightBoard;
  /** Absent: calls are not bounded. */
  readonly isolation?: PartnerIsolation;
  /** How names are looked up; by the machine. */
  readonly resolve?: Resolve;
  /** What names resolve to; all of them. */
  readonly addresses?: (hostname: string) => readonly LookupAddress[];
}

export const clock = new SystemClock();
export const aBoard = (): MemoryFlightBoard => new MemoryFlightBoard({ clock, ids: new CountingIds() });

/** A way to partners that may go to loopback by plain http. */
export function aDoor(options: DoorOptions = {}): PartnerHttp & { readonly guard: OutboundGuard } {
  const {
    networks = ['127.0.0.0/8', '::1'],
    allowHttp = true,
    connectTimeoutMs = 3000,
    board = aBoard(),
    addresses,
    resolve,
    isolation,
    optionsOf,
  } = options;
  const guard = new OutboundGuard({
    addresses: new IpAddressBook(),
    rules: { allowHttp, networks },
    ...(resolve && { resolve }),
    ...(addresses && { resolve: (hostname, done) => setImmediate(() => done(null, addresses(hostname))) }),
  });
  const flights = new SharedFlights({ board, clock, pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) });
  const now = options.clock ?? clock;
  const signing = { signRequest: aSignRequest(now), hmac: new HmacProvider(), uses: noUses, refreshes: new MemoryRefreshBook(now) };
  return {
    ...createPartnerHttp({ guard, clock: now, flights, board, connectTimeoutMs, isolation, optionsOf, ...signing }),
    guard,
  };
}

import type { CircuitWorker } from '../../adapters/in/worker/circuit-worker';
import type { PartnerIsolation } from '../../domain/isolation/partner-isolation';
import type { PartnerSlots } from '../../domain/isolation/partner-slots';
import type { EventGateway } from '../../domain/events/ports';
import { token } from './token';

/** The container keys of calls to partners. */
export const partnerTokens = {
  partnerIsolation: token<PartnerIsolation>('partnerIsolation'),
  circuitWorker: token<CircuitWorker>('circuitWorker'),
  partnerSlots: token<PartnerSlots | undefined>('partnerSlots'),
  eventGateway: token<EventGateway>('eventGateway'),
} as const;

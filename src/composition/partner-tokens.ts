import type { CircuitWorker } from '../adapters/in/worker/circuit-worker';
import type { PartnerIsolation } from '../domain/isolation/partner-isolation';
import type { ShareCircuits } from '../domain/isolation/share-circuits';
import type { PartnerPlaces } from '../domain/isolation/places';
import type { EventGateway } from '../domain/events/ports';
import { token } from './token';

/** The way to partners, by name. */
export const partnerTokens = {
  partnerIsolation: token<PartnerIsolation>('partnerIsolation'),
  shareCircuits: token<ShareCircuits>('shareCircuits'),
  circuitWorker: token<CircuitWorker>('circuitWorker'),
  partnerPlaces: token<PartnerPlaces | undefined>('partnerPlaces'),
  eventGateway: token<EventGateway>('eventGateway'),
} as const;

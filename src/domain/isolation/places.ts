import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import type { PartnerLeg } from '../partners/partner-errors';
import type { CallPlaces } from './call-places';

/** For which steps a call needs partners. */
export interface WantedPlaces {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly legs: readonly PartnerLeg[];
}

/** Places at the partners of a call. */
export interface PartnerPlaces {
  /** Takes one for each step whose URL is stored, all or none. Throws PartnerBusy. */
  take(wanted: WantedPlaces): Promise<CallPlaces>;
}

/**
 * Does `work` with a place at each partner that it needs, taken before anything is sent: what cannot end is not begun (contract/partner-calls#saturated-and-failing-partners).
 * `places` absent: the host bounds no calls. Throws PartnerBusy, and what `work` throws.
 */
export async function withPlaces<T>(
  places: PartnerPlaces | undefined,
  wanted: WantedPlaces,
  work: (relay: Relay) => Promise<T>,
): Promise<T> {
  if (!places) return work(wanted.relay);
  const held = await places.take(wanted);
  try {
    return await work(Object.assign({}, wanted.relay, { places: held }));
  } finally {
    held.release();
  }
}

import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import type { PartnerLeg } from '../partners/partner-errors';
import type { CallSlots } from './call-slots';

/** The steps for which a call needs slots. */
export interface WantedSlots {
  readonly relay: Relay;
  readonly integration: Integration;
  readonly legs: readonly PartnerLeg[];
}

/** Reserves slots at the partners of a call. */
export interface PartnerSlots {
  /** Takes a slot for each step whose URL is stored: all or none. Throws PartnerBusy. */
  take(wanted: WantedSlots): Promise<CallSlots>;
}

/**
 * Runs `work` with a slot at each partner that it needs, all taken before anything is sent, so that no work begins that cannot finish
 * (contract/partner-calls#saturated-and-failing-partners). `slots` is absent where calls are not limited. Throws PartnerBusy, and what
 * `work` throws.
 */
export async function withSlots<T>(slots: PartnerSlots | undefined, wanted: WantedSlots, work: (relay: Relay) => Promise<T>): Promise<T> {
  if (!slots) return work(wanted.relay);
  const held = await slots.take(wanted);
  try {
    return await work(Object.assign({}, wanted.relay, { slots: held }));
  } finally {
    held.release();
  }
}

import type { PartnerIsolation } from '../../../domain/isolation/partner-isolation';
import { sampleOf, type Sample } from './sample';

/** Samples of this process's bulkheads and circuits by step; partners have no series of their own. */
export function isolationSamples(isolation: Pick<PartnerIsolation, 'calls' | 'openCircuits' | 'refusals'>): readonly Sample[] {
  return [
    sampleOf('pierhead_partner_slots_in_use', [isolation.calls]),
    sampleOf('pierhead_partner_circuits_open', ...isolation.openCircuits().map(({ side, step, count }) => [count, side, step] as const)),
    sampleOf(
      'pierhead_partner_calls_refused_total',
      ...isolation.refusals().map(({ at: { side, step }, cause, count }) => [count, side, step, cause] as const),
    ),
  ];
}

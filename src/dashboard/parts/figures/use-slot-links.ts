import { useNavigate } from 'react-router';
import type { Query } from '../../api/manage';
import type { Point } from '../charts/chart-model';
import { filteredPath } from '../records/filters';
import { useRange } from '../range/use-range';

/** Links of a chart of exchanges: a click opens the requests of the slot, and a drag selects a narrower range. */
export function useSlotLinks(slotS: number | undefined, filter: Query = {}) {
  const navigate = useNavigate();
  const range = useRange();
  return {
    onPick: (at: Point['at']) => {
      if (typeof at !== 'number' || slotS === undefined) return;
      const ends = { from: new Date(at).toISOString(), to: new Date(at + slotS * 1000).toISOString() };
      void navigate(filteredPath('/requests', { ...(filter as Record<string, string | undefined>), ...ends }));
    },
    onZoom: (from: number, to: number) => range.set({ from, to: to + (slotS ?? 0) * 1000 }),
  };
}

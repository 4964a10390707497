import type { WatchedService } from './watched-service';

/** Milliseconds of processor time that no turn of the event loop may cost. */
export const maxTurnMs = 50;
/** At the best of some tries: collections of garbage fall into any of them. */
const tries = 4;

/** Does the work up to four times. Returns the shortest of the longest turns, and the last result. */
export async function bestTurn<Result>(
  service: WatchedService,
  work: () => Promise<Result>,
): Promise<{ readonly ms: number; readonly result: Result }> {
  let ms = Infinity;
  for (let tried = 1; ; tried++) {
    await service.longestTurnMs();
    const result = await work();
    ms = Math.min(ms, await service.longestTurnMs());
    if (ms <= maxTurnMs || tried === tries) return { ms, result };
  }
}

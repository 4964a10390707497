import type { WatchedService } from './watched-service';

/** Milliseconds of processor time that no turn of the event loop may cost. */
export const maxTurnMs = 50;

/** Does the work five times. Returns the median of the longest turns, and the last result. */
export async function medianTurn<Result>(
  service: WatchedService,
  work: () => Promise<Result>,
): Promise<{ readonly ms: number; readonly result: Result }> {
  const turns: number[] = [];
  for (;;) {
    await service.collectGarbage();
    const result = await work();
    turns.push(await service.longestTurnMs());
    if (turns.length === 5) return { ms: turns.sort((a, b) => a - b)[2]!, result };
  }
}

import { pause } from '../../adapters/json/turns';
import type { WorkClock } from '../../domain/credentials/explain/ports';

/** Measures work, and pauses it so that calls can run in between. */
export const workClock: WorkClock = { elapsed: () => performance.now(), pause };

import { setImmediate as turn } from 'node:timers/promises';
import type { WorkClock } from '../../domain/credentials/explain/ports';

/** Measures work, and pauses it so that calls can run in between. */
export const workClock: WorkClock = { elapsed: () => performance.now(), pause: () => turn() };

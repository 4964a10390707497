import { setImmediate as turn } from 'node:timers/promises';
import type { WorkClock } from '../domain/credentials/explain/ports';

/** How long work takes, and room for calls in between. */
export const workClock: WorkClock = { elapsed: () => performance.now(), pause: () => turn() };

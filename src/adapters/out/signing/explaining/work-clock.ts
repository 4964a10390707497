import type { WorkClock } from '../../../../domain/credentials/explain/ports';
import { nextTurn } from '../../../json/turns';

/** Measures the work of an explanation, and ends its turns. */
export const workClock: WorkClock = { elapsed: () => performance.now(), pause: nextTurn };

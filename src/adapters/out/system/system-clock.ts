import type { Clock } from '../../../domain/shared/ports';

/** The time of this machine. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }
}

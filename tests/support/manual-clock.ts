import type { Clock } from '../../src/domain/shared/ports';

/** A clock that moves only when told. */
export class ManualClock implements Clock {
  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}

import type { IdGenerator } from '../../src/domain/shared/ports';

/** Ids that tell the order in which they were made. */
export class CountingIds implements IdGenerator {
  private made = 0;

  next(): string {
    return `id${String(++this.made).padStart(6, '0')}`;
  }
}

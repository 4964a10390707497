import type { SecretBox } from '../../../domain/credentials/ports';
import type { Log } from '../../../domain/shared/ports';
import type { Sample } from './sample';
import { Counts } from './tally';

/** Values that were logged, so that a list that is read again and again does not fill the log. */
const mostNoted = 10_000;

/** Counts each value that does not open, and logs it once: its column, and its row by id or digest; never what it holds. */
export class NotedSecretBox implements SecretBox {
  private readonly unreadable = new Counts('pierhead_unreadable_values_total');
  private readonly noted = new Set<string>();

  constructor(
    private readonly box: SecretBox,
    private readonly log: Log,
  ) {}

  seal(plain: Uint8Array, place: string): Uint8Array {
    return this.box.seal(plain, place);
  }

  open(sealed: Uint8Array, place: string): Uint8Array {
    try {
      return this.box.open(sealed, place);
    } catch (error) {
      this.note(place, error);
      throw error;
    }
  }

  samples(): readonly Sample[] {
    return [this.unreadable.sample()];
  }

  private note(place: string, error: unknown): void {
    const [column = ''] = place.split(':', 1);
    this.unreadable.add(column);
    if (this.noted.has(place) || this.noted.size >= mostNoted) return;
    this.noted.add(place);
    this.log.error('unreadable-value', { column, row: place.slice(column.length + 1), cause: error instanceof Error ? error.message : '' });
  }
}

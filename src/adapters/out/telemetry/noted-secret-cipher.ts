import type { SecretCipher } from '../../../domain/credentials/ports';
import type { Log } from '../../../domain/shared/ports';
import type { Sample } from './sample';
import { Counts } from './tally';

/** The maximum number of remembered values, which are logged once, so that repeated reads of a list do not fill the log. */
const maxNoted = 10_000;

/** Counts each value that cannot be decrypted and logs it once: its column and its row by id or digest, never its content. */
export class NotedSecretCipher implements SecretCipher {
  private readonly unreadable = new Counts('pierhead_unreadable_values_total');
  private readonly noted = new Set<string>();

  constructor(
    private readonly box: SecretCipher,
    private readonly log: Log,
  ) {}

  seal(plain: Uint8Array, context: string): Uint8Array {
    return this.box.seal(plain, context);
  }

  open(sealed: Uint8Array, context: string): Uint8Array {
    try {
      return this.box.open(sealed, context);
    } catch (error) {
      this.note(context, error);
      throw error;
    }
  }

  samples(): readonly Sample[] {
    return [this.unreadable.sample()];
  }

  private note(context: string, error: unknown): void {
    const [column = ''] = context.split(':', 1);
    this.unreadable.add(column);
    if (this.noted.has(context) || this.noted.size >= maxNoted) return;
    this.noted.add(context);
    this.log.error('unreadable-value', {
      column,
      row: context.slice(column.length + 1),
      cause: error instanceof Error ? error.message : '',
    });
  }
}

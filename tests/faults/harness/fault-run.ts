import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { promises, type PromiseId } from './promises';

/** One run's figure, as it is kept. */
export interface Figure {
  readonly id: PromiseId;
  readonly counts: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly seconds: number;
  /** The day of the run, YYYY-MM-DD. */
  readonly day: string;
}

/** Where the figures of long runs are kept, one line each; of an id the last one counts, and earlier ones are listed. */
export const figuresFile = join(__dirname, 'figures.jsonl');

const isLong = process.env['FAULTS'] === 'long';

/** `FAULT_SEED` does again what a run that printed it did, as far as the machine's own timing allows. */
const seed = Number(process.env['FAULT_SEED'] ?? randomInt(1, 2 ** 31));
if (!Number.isSafeInteger(seed)) throw new Error('FAULT_SEED must be a whole number');

/** How much is done: `npm run test:faults` runs the short form, `FAULTS=long npm run test:faults` the long one. */
export const inThisForm = <T>(forms: { readonly short: T; readonly long: T }): T => (isLong ? forms.long : forms.short);

/** The time that a long form may take, in milliseconds, where a short one has `shortMs`. */
export const within = (shortMs: number, longMs = 1_800_000): number => (isLong ? longMs : shortMs);

/** RandomGenerator from 0 to 1, 1 not included: the same numbers for the same seed and name (mulberry32). */
export function chanceOf(name: string): () => number {
  let state = [...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Prints the one line of a run. A long run's figure is kept for `npm run report:reliability`. */
export function figure(id: PromiseId, counts: Readonly<Record<string, number>>, startedAt: number): void {
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const form = isLong ? 'long' : 'short';
  process.stdout.write(`${id} ${form}, seed ${seed}, ${seconds} s: ${JSON.stringify(counts)} (${promises[id].target})\n`);
  const kept: Figure = { id, counts, seed, seconds, day: new Date().toISOString().slice(0, 10) };
  if (isLong) appendFileSync(figuresFile, `${JSON.stringify(kept)}\n`);
}

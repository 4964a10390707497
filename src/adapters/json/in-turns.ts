import type { Json, ReadingRules } from '../../domain/shared/json';
import { printJsonInTurns, type JsonForm } from '../../domain/shared/print-json';
import { readJsonInTurns } from '../../domain/shared/read-json';
import { longWork, nextTurn } from './turns';

/** Reads JSON, that of a long text in several turns of the event loop, so that other calls run in between. Throws JsonSyntaxError. */
export const readInTurns = (bytes: Uint8Array): Promise<Json> => readJsonInTurns(bytes, longWork(bytes.length));

/**
 * As `readInTurns`, before all work that begins later: a partner that has answered has acted already. Throws JsonSyntaxError.
 */
export const readInTurnsFirst = (bytes: Uint8Array, rules: ReadingRules): Promise<Json> => readJsonInTurns(bytes, longWork(0), rules);

/** As `readInTurns`, in a transaction: others wait for its locks, so it does not queue behind the long work of other calls. */
export const readInTransaction = (bytes: Uint8Array): Promise<Json> => readJsonInTurns(bytes, nextTurn);

/** Prints JSON, many values in several turns of the event loop. */
export const printInTurns = (json: Json, form: JsonForm = {}): Promise<string> => printJsonInTurns(json, form, longWork());

/** Milliseconds after which work of many small steps lets other work run. */
const maxMs = 5;

/** Turns of at most 5 ms, for work of many small steps. */
export class ShortTurns {
  private readonly pause = longWork();
  private since = performance.now();

  /** Whether the turn has taken its time. */
  get isOver(): boolean {
    return performance.now() - this.since >= maxMs;
  }

  /** Lets other work run, and begins the next turn. */
  async end(): Promise<void> {
    await this.pause();
    this.since = performance.now();
  }
}

/** Maps rows one after another, in several turns of the event loop: rows that are read at once would share each turn. */
export async function mapInTurns<Row, Result>(rows: readonly Row[], map: (row: Row) => Promise<Result>): Promise<Result[]> {
  const turns = new ShortTurns();
  const results: Result[] = [];
  for (const row of rows) {
    results.push(await map(row));
    if (turns.isOver) await turns.end();
  }
  return results;
}

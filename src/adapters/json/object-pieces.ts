import type { Json } from '../../domain/shared/json';
import { printedPieces, printJson } from '../../domain/shared/print-json';
import { ShortTurns } from './in-turns';

/** A member of an object: JSON, JSON that is known when its turn comes, a list whose items are read while it is printed, or nothing. */
export type PrintedMember = Json | (() => Json) | AsyncIterable<Json> | undefined;

/** Characters after which a piece of text is handed on. */
const charactersPerPiece = 32_768;

/** Prints an object as JSON without undefined members, piece after piece, in several turns of the event loop. */
export async function* objectPieces(members: Readonly<Record<string, PrintedMember>>): AsyncGenerator<string> {
  const turns = new ShortTurns();
  let piece = '';
  for await (const part of partsOf(members)) {
    piece += part;
    if (piece.length >= charactersPerPiece) {
      yield piece;
      piece = '';
    }
    // Many small values make less text than a piece.
    if (turns.isOver) await turns.end();
  }
  yield piece;
}

async function* partsOf(members: Readonly<Record<string, PrintedMember>>): AsyncGenerator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(members)) {
    const value = typeof member === 'function' ? member() : member;
    if (value === undefined) continue;
    yield `${before}${printJson(name)}:`;
    before = ',';
    yield* isRead(value) ? listParts(value) : printedPieces(value);
  }
  yield '}';
}

async function* listParts(items: AsyncIterable<Json>): AsyncGenerator<string> {
  yield '[';
  let isFirst = true;
  for await (const item of items) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* printedPieces(item);
  }
  yield ']';
}

const isRead = (value: Json | AsyncIterable<Json>): value is AsyncIterable<Json> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

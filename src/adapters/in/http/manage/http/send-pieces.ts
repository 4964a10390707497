import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { ShortTurns } from '../../../../json/in-turns';

/**
 * Sends pieces of JSON text as fast as the caller reads them. What fails before the first piece is thrown with nothing sent. What fails
 * later breaks the connection off, so that nobody takes the answer for whole, and is thrown too.
 */
export async function sendPieces(res: Response, pieces: AsyncIterable<string>): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  res.type('application/json');
  try {
    await pipeline(fromFirst(first, iterator), res);
  } catch (error) {
    if (!isCallerGone(error)) throw error;
  }
}

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

/** Sends a page of large records. They are printed in several turns of the event loop: 200 host apps with long allowlists take 9 MB. */
export const sendPage = (res: Response, page: Page): Promise<void> => sendPieces(res, piecesOf(page));

async function* piecesOf({ data, next_cursor: cursor }: Page): AsyncGenerator<string> {
  const turns = new ShortTurns();
  let piece = '{"data":[';
  for (const [i, record] of data.entries()) {
    piece += `${i > 0 ? ',' : ''}${JSON.stringify(record)}`;
    if (!turns.isOver) continue;
    yield piece;
    piece = '';
    await turns.end();
  }
  yield `${piece}],"next_cursor":${JSON.stringify(cursor)}}`;
}

async function* fromFirst(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let piece = first; piece.done !== true; piece = await iterator.next()) yield piece.value;
  } finally {
    await iterator.return?.();
  }
}

const isCallerGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

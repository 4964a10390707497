import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

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

async function* fromFirst(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let piece = first; piece.done !== true; piece = await iterator.next()) yield piece.value;
  } finally {
    await iterator.return?.();
  }
}

const isCallerGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

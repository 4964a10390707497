import type { Duplex } from 'node:stream';
import { WireStream, type Exchange } from './wire-stream';

/** A simple query (protocol 3.0, message `Q`). */
function simpleQuery(text: string): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(`${text}\0`);
  const message = new Uint8Array(1 + 4 + body.length);
  message[0] = 'Q'.charCodeAt(0);
  new DataView(message.buffer).setInt32(1, 4 + body.length);
  message.set(body, 5);
  return message;
}

/**
 * Gives out connections to a database that has one session for all of them, one at a time: a new connection cuts the one before
 * off, and starts from nothing: the transaction that it left open is rolled back, its prepared statements, settings and locks go.
 */
export function oneSession(exchange: Exchange): () => Duplex {
  let current: WireStream | undefined;
  return () => {
    current?.destroy();
    let fresh = current === undefined;
    const stream: WireStream = new WireStream(async (messages) => {
      if (stream.destroyed) return undefined;
      if (!fresh) {
        fresh = true;
        await exchange(simpleQuery('rollback'));
        await exchange(simpleQuery('discard all'));
      }
      return exchange(messages);
    });
    current = stream;
    return stream;
  };
}

import type { Duplex } from 'node:stream';
import { ProtocolStream, type Exchange } from './protocol-stream';

/** Builds a simple query (protocol 3.0, message `Q`). */
function simpleQuery(text: string): Uint8Array<ArrayBuffer> {
  const body = Buffer.from(`${text}\0`);
  const message = new Uint8Array(1 + 4 + body.length);
  message[0] = 'Q'.charCodeAt(0);
  new DataView(message.buffer).setInt32(1, 4 + body.length);
  message.set(body, 5);
  return message;
}

/**
 * Gives out one connection at a time to a database that has a single session. A new connection closes the one before it and resets the
 * session: its open transaction is rolled back, its prepared statements, settings and locks are dropped.
 */
export function oneSession(exchange: Exchange): () => Duplex {
  let current: ProtocolStream | undefined;
  return () => {
    current?.destroy();
    let fresh = current === undefined;
    const stream: ProtocolStream = new ProtocolStream(async (messages) => {
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

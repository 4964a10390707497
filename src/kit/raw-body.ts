import type { IncomingMessage } from 'node:http';
import { CallRefused } from './call-refused';

/** Far above the size of the platform's own bodies. */
const maxBytes = 1024 * 1024;

const kept = new WeakMap<IncomingMessage, Uint8Array>();

/** For `express.json({ verify: keepRawBody })`: stores the bytes that a signature covers beside the parsed body. */
export function keepRawBody(request: IncomingMessage, _response: unknown, bytes: Uint8Array): void {
  kept.set(request, bytes);
}

/**
 * The raw body: stored by `keepRawBody`, left in `body` by `express.raw`, or read from the request. Throws CallRefused (413) over 1 MiB,
 * and TypeError where a parser consumed the body without `keepRawBody`.
 */
export async function rawBodyOf(request: IncomingMessage & { readonly body?: unknown }): Promise<Uint8Array> {
  const bytes = kept.get(request) ?? (request.body instanceof Uint8Array ? request.body : undefined);
  if (bytes) return bytes;
  if (request.readableDidRead)
    throw new TypeError('The body was parsed before its bytes were kept: use express.json({ verify: keepRawBody })');
  const read = await readAll(request);
  kept.set(request, read);
  return read;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  if (length > maxBytes) throw new CallRefused('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB', { status: 413 });
  return Buffer.concat(chunks);
}

import type { ServerResponse } from 'node:http';
import type { Json } from '../../../domain/shared/json';
import { printInTurns } from '../../json/in-turns';

/** A status and a JSON body. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** An answer serialised to bytes. */
export interface PrintedAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Serialises an answer; numbers keep their original text and members their order. */
export const printed = async ({ status, body }: Answer): Promise<PrintedAnswer> => ({
  status,
  body: Buffer.from(await printInTurns(body), 'utf8'),
});

/** Serialises and sends a JSON answer, unless another one was sent meanwhile. */
export async function sendJson(res: ServerResponse, { status, body }: Answer): Promise<void> {
  const text = await printInTurns(body);
  if (res.headersSent) return;
  writeHead(res, status, Buffer.byteLength(text));
  // A string body is sent with the headers in one write.
  res.end(text);
}

/** Sends an answer that is serialised already. */
export function sendPrinted(res: ServerResponse, { status, body }: PrintedAnswer): void {
  writeHead(res, status, body.length);
  res.end(body);
}

function writeHead(res: ServerResponse, status: number, length: number): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length, 'Cache-Control': 'no-store' });
}

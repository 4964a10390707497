import type { ServerResponse } from 'node:http';
import type { Json } from '../../../domain/shared/json';
import { printJson } from '../../../domain/shared/print-json';

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
export const printed = ({ status, body }: Answer): PrintedAnswer => ({ status, body: Buffer.from(printJson(body), 'utf8') });

/** Serialises and sends a JSON answer. */
export function sendJson(res: ServerResponse, { status, body }: Answer): void {
  const text = printJson(body);
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

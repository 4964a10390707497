import type { ServerResponse } from 'node:http';
import { type Json, printJson } from '../../../domain/shared/json';

/** An answer: a status and a JSON body. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** An answer as its bytes leave. */
export interface PrintedAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** JSON as it prints: numbers as they came, members in order. */
export const printed = ({ status, body }: Answer): PrintedAnswer => ({ status, body: Buffer.from(printJson(body), 'utf8') });

/** Sends JSON as it prints. */
export function sendJson(res: ServerResponse, { status, body }: Answer): void {
  const text = printJson(body);
  writeHead(res, status, Buffer.byteLength(text));
  // As text it leaves with its headers in one piece.
  res.end(text);
}

/** Sends JSON that is printed already. */
export function sendPrinted(res: ServerResponse, { status, body }: PrintedAnswer): void {
  writeHead(res, status, body.length);
  res.end(body);
}

function writeHead(res: ServerResponse, status: number, length: number): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length, 'Cache-Control': 'no-store' });
}

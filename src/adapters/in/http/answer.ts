import type { Response } from 'express';
import { type Json, printJson } from '../../../domain/shared/json';

/** What is answered: a status and a JSON body. */
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
export function sendJson(res: Response, answer: Answer): void {
  sendPrinted(res, printed(answer));
}

/** Sends JSON that is printed already. */
export function sendPrinted(res: Response, { status, body }: PrintedAnswer): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  res.setHeader('Cache-Control', 'no-store');
  res.end(body);
}

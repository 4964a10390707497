import type { Response } from 'express';
import { type Json, printJson } from '../../../domain/shared/json';

/** What a route answers: a status of 2xx and a JSON body. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Sends JSON as it prints: numbers as they came, members in order. */
export function sendJson(res: Response, { status, body }: Answer): void {
  const bytes = Buffer.from(printJson(body), 'utf8');
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', bytes.length);
  res.setHeader('Cache-Control', 'no-store');
  res.end(bytes);
}

import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';

/** Sends a public JSON document that may be kept for a minute, or 304 where the caller has it already (RFC 9110 §13.1.2). */
export function sendDocument(req: Request, res: Response, document: object): void {
  const body = Buffer.from(JSON.stringify(document), 'utf8');
  res.setHeader('ETag', `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`);
  res.setHeader('Cache-Control', 'public, max-age=60');
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

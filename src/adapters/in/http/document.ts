import { hash } from 'node:crypto';
import type { Request, Response } from 'express';

/** Sends a public JSON document that clients may cache for a minute, or 304 if the caller has the current one (RFC 9110 §13.1.2). */
export function sendDocument(req: Request, res: Response, document: object): void {
  const text = JSON.stringify(document);
  res.setHeader('ETag', `"${hash('sha256', text, 'base64url').slice(0, 22)}"`);
  res.setHeader('Cache-Control', 'public, max-age=60');
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  // A string body is sent with the headers in one write.
  res.end(text);
}

import type { RequestHandler } from 'express';
import { refusal } from '../../../../domain/shared/errors';

/** 405 with the methods that the path takes (RFC 9110 §15.5.6). */
export const wrongMethod =
  (allowed: readonly string[]): RequestHandler =>
  (req, res) => {
    res.setHeader('Allow', allowed.join(', '));
    const message = `${req.method} is not allowed here; use ${allowed.filter((method) => method !== 'HEAD').join(' or ')}`;
    throw refusal('wrong-method', 'METHOD_NOT_ALLOWED', {}, message);
  };

import type { Request } from 'express';
import { ManageProblem } from './problem';

/** A version as an entity tag (RFC 9110 §8.8.3). */
export const entityTag = (version: number): string => `"${String(version)}"`;

const tagList = /^(?:W\/)?"[^"]*"(?: *, *(?:W\/)?"[^"]*")*$/;

/**
 * Checks If-Match and `If-None-Match: *` against the stored version (`undefined` when nothing is stored). Without these headers every
 * version passes.
 */
export function precondition(req: Request): (version: number | undefined) => void {
  const [ifMatch, ifNew] = [demandOfMatch(req), demandOfNew(req)];
  return (version) => {
    ifMatch(version);
    ifNew(version);
  };
}

function demandOfNew(req: Request): (version: number | undefined) => void {
  const header = req.headers['if-none-match']?.trim();
  if (header === undefined) return () => undefined;
  if (header !== '*') throw new ManageProblem('malformed-request', { detail: 'If-None-Match takes nothing but *' });
  return (version) => {
    if (version !== undefined) throw new ManageProblem('precondition-failed', { headers: { ETag: entityTag(version) } });
  };
}

function demandOfMatch(req: Request): (version: number | undefined) => void {
  const header = req.headers['if-match']?.trim();
  if (header === undefined) return () => undefined;
  if (header !== '*' && !tagList.test(header))
    throw new ManageProblem('malformed-request', { detail: 'If-Match is not a list of entity tags' });
  // Weak tags never match: RFC 9110 §13.1.1 requires the strong comparison.
  const tags = header.split(',').map((tag) => tag.trim());
  return (version) => {
    const fits = version !== undefined && (header === '*' || tags.includes(entityTag(version)));
    if (!fits) throw new ManageProblem('precondition-failed', version === undefined ? {} : { headers: { ETag: entityTag(version) } });
  };
}

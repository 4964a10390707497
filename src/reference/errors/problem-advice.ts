import type { ProblemKind } from '../../adapters/in/http/manage/http/problem';
import type { Advice } from './error-advice';

/** Advice in Markdown for each problem kind of the manage API; the type makes sure that none is missing. */
export const problemAdvice: Readonly<Record<ProblemKind, Advice>> = {
  'malformed-request': {
    cause: 'The body is not one JSON object in UTF-8, or a header cannot be read.',
    fix: '`detail` names the mistake.',
  },
  'invalid-content': {
    cause: 'A member or a parameter breaks a rule, is missing, or is not known.',
    fix: '`errors` names each with the rule.',
  },
  unauthenticated: {
    cause: 'No token and no session were sent, or wrong, expired or revoked ones.',
    fix: 'Send the operator token, or sign in again.',
  },
  'not-allowed': {
    cause: 'The account is not of the role that may do this, or an operator is viewing as a partner.',
    fix: 'Use an account that may; stop viewing as a partner.',
  },
  forbidden: { cause: 'The service runs without what this needs, such as development mode.', fix: '`detail` names the part that is off.' },
  'cross-site': {
    cause: 'A request with a session came without its `X-CSRF-Token`, or from a page of another origin.',
    fix: 'Send the token that `GET /session` gives, from a page of this service.',
  },
  'not-found': {
    cause: 'There is no such record or path, or it is not yours to see.',
    fix: 'Compare the id and the path; lists show what there is.',
  },
  'method-not-allowed': { cause: 'The path takes other methods.', fix: '`Allow` names them.' },
  conflict: {
    cause: 'A stored record stands against it: an id that is taken, an integration that uses it, a run under way.',
    fix: '`detail` says what.',
  },
  'not-ready': {
    cause: 'Items of the checklist are missing or failing.',
    fix: '`errors` names them. Mend them, or give a `reason`.',
  },
  'precondition-failed': { cause: 'The record was changed since the version in `If-Match`.', fix: 'Read it again, and decide anew.' },
  'content-too-large': { cause: 'The body is larger than `BODY_LIMIT`.', fix: 'Send less.' },
  'unsupported-media-type': {
    cause: 'The body is no JSON in UTF-8, or it is compressed.',
    fix: 'Send `Content-Type: application/json`; for PATCH also `application/merge-patch+json`.',
  },
  'too-many': {
    cause:
      'Too many attempts to sign in, too many explanations, proposals or questions to a host app (`RATE_LIMITS`), or accounts of one partner that call without pause: together they have a quarter of a processor.',
    fix: 'Wait for `Retry-After` seconds.',
  },
  fault: { cause: 'The service failed.', fix: 'Look for the `request_id` in its log.' },
  unavailable: {
    cause: 'The database is away, the service stops, too many listen, or the request took too long to explain (`detail` says which).',
    fix: 'Try again after `Retry-After` seconds.',
  },
};

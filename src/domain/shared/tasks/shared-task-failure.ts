import type { ErrorKind } from '../error-kind';
import { DomainError, refusal, type ErrorDetails } from '../errors';
import type { SharedTaskFailure } from './single-flight';

/** Converts an error for the callers that wait for the run. Any error that is not a DomainError becomes UNKNOWN_ERROR. */
export function packFailure(error: unknown): SharedTaskFailure {
  const { kind, code, message, details } = error instanceof DomainError ? error : refusal('fault', 'UNKNOWN_ERROR', { side: 'platform' });
  return { kind, code, message, details: JSON.stringify(details) };
}

/** Restores the error from the result of `packFailure`. */
export const unpackFailure = ({ kind, code, message, details }: SharedTaskFailure): DomainError =>
  new DomainError(kind as ErrorKind, code, message, JSON.parse(details) as ErrorDetails);

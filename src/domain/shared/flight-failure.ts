import type { ErrorKind } from './error-kind';
import { DomainError, refusal, type ErrorDetails } from './errors';
import type { FlightFailure } from './single-flight';

/** A failure as those who wait for the run get it. Any error that is not a DomainError becomes UNKNOWN_ERROR. */
export function packFailure(error: unknown): FlightFailure {
  const { kind, code, message, details } = error instanceof DomainError ? error : refusal('fault', 'UNKNOWN_ERROR', { side: 'platform' });
  return { kind, code, message, details: JSON.stringify(details) };
}

/** The failure again, from what `packFailure` made of it. */
export const unpackFailure = ({ kind, code, message, details }: FlightFailure): DomainError =>
  new DomainError(kind as ErrorKind, code, message, JSON.parse(details) as ErrorDetails);

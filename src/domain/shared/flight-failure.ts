import type { ErrorKind } from './error-kind';
import { DomainError, refusal, type ErrorDetails } from './errors';
import type { FlightFailure } from './single-flight';

/** A failure as those who wait for the run are told of it. What is not ours by name says nothing of itself. */
export function packFailure(error: unknown): FlightFailure {
  const { kind, code, message, details } = error instanceof DomainError ? error : refusal('fault', 'UNKNOWN_ERROR', { side: 'platform' });
  return { kind, code, message, details: JSON.stringify(details) };
}

/** The failure again, from what `packFailure` made of it. */
export const unpackFailure = ({ kind, code, message, details }: FlightFailure): DomainError =>
  new DomainError(kind as ErrorKind, code, message, JSON.parse(details) as ErrorDetails);

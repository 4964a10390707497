import { randomUUID } from 'node:crypto';
import { refusal, type DomainError } from '../../../../domain/shared/errors';
import { printJson } from '../../../../domain/shared/print-json';
import { errorAnswer } from '../error-handler';

/** An Error body ready to be written without Express, for requests that reach no route. */
export interface BareRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
}

/** Converts an error to the answer that the error handler would send. */
export function bareRefusal(error: DomainError, requestId: string = randomUUID()): BareRefusal {
  const answer = errorAnswer(error, requestId, false);
  const body = Buffer.from(printJson(answer.body));
  const { retryAfterS } = error.details;
  const headers = {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...(retryAfterS === undefined ? {} : { 'Retry-After': Math.max(1, Math.ceil(retryAfterS)) }),
  };
  return { status: answer.status, headers, body };
}

/** The request is not HTTP or timed out. The answer quotes nothing of it and closes the connection. */
export const notHttp = (): BareRefusal =>
  closing(bareRefusal(refusal('invalid', 'INVALID_INPUT', {}, 'The request is not valid HTTP or did not come in time')));

/** The headers exceed `lines` or `bytes` (RFC 6585 §5). */
export function tooManyHeaders({ lines, bytes }: { lines: number; bytes: number }): BareRefusal {
  const message = `The request has more than ${String(lines)} header lines, or more than ${String(bytes)} bytes of them`;
  return { ...closing(bareRefusal(refusal('invalid', 'INVALID_INPUT', {}, message))), status: 431 };
}

const closing = (answer: BareRefusal): BareRefusal => ({ ...answer, headers: { ...answer.headers, Connection: 'close' } });

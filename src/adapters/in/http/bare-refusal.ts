import { randomUUID } from 'node:crypto';
import { refusal, type DomainError } from '../../../domain/shared/errors';
import { printed } from './answer';
import { errorAnswer } from './error-handler';

/** The Error body to a request that no route is asked about, ready to be written. */
export interface BareRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Uint8Array;
}

/** An error as the error handler would send it, without the application around it. */
export function bareRefusal(error: DomainError, requestId: string = randomUUID()): BareRefusal {
  const { status, body } = printed(errorAnswer(error, requestId, false));
  const { retryAfterS } = error.details;
  const headers = {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    ...(retryAfterS === undefined ? {} : { 'Retry-After': Math.max(1, Math.ceil(retryAfterS)) }),
  };
  return { status, headers, body };
}

/** A request that is no HTTP, or did not come in time. Nothing of it is quoted, and its connection is of no further use. */
export const notHttp = (): BareRefusal =>
  closing(bareRefusal(refusal('invalid', 'INVALID_INPUT', {}, 'The request is not valid HTTP or did not come in time')));

/** Headers beyond `lines` or `bytes` (RFC 6585 §5). */
export function tooManyHeaders({ lines, bytes }: { lines: number; bytes: number }): BareRefusal {
  const message = `The request has more than ${String(lines)} header lines, or more than ${String(bytes)} bytes of them`;
  return { ...closing(bareRefusal(refusal('invalid', 'INVALID_INPUT', {}, message))), status: 431 };
}

const closing = (answer: BareRefusal): BareRefusal => ({ ...answer, headers: { ...answer.headers, Connection: 'close' } });

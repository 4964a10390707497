import { DomainError, InvalidInput, refusal, type ErrorDetails } from '../shared/errors';
import type { ErrorCode } from '../shared/error-catalogue';

/** A request as the checks need it: independent of the framework, with the body as bytes. */
export interface InboundRequest {
  readonly method: string;
  /** The request target as sent: path and query. */
  readonly target: string;
  /** Names and values alternate, as sent, so that a repeated header can be detected. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  /** The caller's address, with trusted proxies already resolved. */
  readonly remoteAddress: string;
}

/** Checks a request at `now` (milliseconds since the epoch), synchronously or not; throws if it fails. */
export type Check = (request: InboundRequest, now: number) => void | Promise<void>;

/** The caller did not prove its identity (401). */
export class CredentialsRejected extends DomainError {
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super('unauthenticated', code, message, details);
  }
}

/** The error for a caller with a wrong address, or without any enabled check (403). */
export const forbidden = (
  code: 'NOT_A_WHITELISTED_IP' | 'ACCESS_DENIED',
  details: Pick<ErrorDetails, 'setting' | 'address'>,
): DomainError => refusal('forbidden', code, details);

type Headed = Pick<InboundRequest, 'rawHeaders'>;

/**
 * Makes a reader for a header that may be sent at most once; the reader returns `undefined` when it is not sent. Throws INVALID_INPUT
 * where it is sent twice, because two readers of one request could use different values.
 */
export function headerReader(name: string): (request: Headed) => string | undefined {
  const wanted = name.toLowerCase();
  return ({ rawHeaders }) => {
    let value: string | undefined;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const given = rawHeaders[i]!;
      // Most names already differ in length.
      if (given.length !== wanted.length || given.toLowerCase() !== wanted) continue;
      if (value !== undefined) throw new InvalidInput([{ path: name, rule: 'sent more than once' }]);
      value = rawHeaders[i + 1];
    }
    return value;
  };
}

/** Reads a header once, as `headerReader`. */
export const headerOnce = (request: Headed, name: string): string | undefined => headerReader(name)(request);

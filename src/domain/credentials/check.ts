import { DomainError, InvalidInput, refusal, type ErrorDetails } from '../shared/errors';
import type { ErrorCode } from '../shared/error-catalogue';

/** A request as the policy sees it: no framework, the body still as bytes. */
export interface InboundRequest {
  readonly method: string;
  /** The request target as sent: path and query. */
  readonly target: string;
  /** Names and values alternate, as sent, so that a doubled header is seen. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  /** The caller's address, behind trusted proxies already resolved. */
  readonly remoteAddress: string;
}

/** Passes if the request proves what it must at `now` (milliseconds since the epoch), at once or later; throws if not. */
export type Check = (request: InboundRequest, now: number) => void | Promise<void>;

/** The caller did not prove who it is (401). */
export class CredentialsRejected extends DomainError {
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super('unauthenticated', code, message, details);
  }
}

/** What a caller without the right address or without any set-up check gets (403). */
export const forbidden = (
  code: 'NOT_A_WHITELISTED_IP' | 'ACCESS_DENIED',
  details: Pick<ErrorDetails, 'setting' | 'address'>,
): DomainError => refusal('forbidden', code, details);

type Headed = Pick<InboundRequest, 'rawHeaders'>;

/**
 * Reads a header that may be sent once at most; `undefined`: not sent. Throws INVALID_INPUT where it is doubled: two readers of
 * one request could take different ones.
 */
export function headerReader(name: string): (request: Headed) => string | undefined {
  const wanted = name.toLowerCase();
  return ({ rawHeaders }) => {
    let value: string | undefined;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
      const given = rawHeaders[i]!;
      // Most are told apart by their length.
      if (given.length !== wanted.length || given.toLowerCase() !== wanted) continue;
      if (value !== undefined) throw new InvalidInput([{ path: name, rule: 'sent more than once' }]);
      value = rawHeaders[i + 1];
    }
    return value;
  };
}

/** As `headerReader`, of one request. */
export const headerOnce = (request: Headed, name: string): string | undefined => headerReader(name)(request);

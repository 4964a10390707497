import { DomainError, InvalidInput, refusal, type ErrorDetails } from '../shared/errors';
import type { ErrorCode } from '../shared/error-catalogue';

/** A request as the policy sees it: no framework, the body still as bytes. */
export interface InboundRequest {
  readonly method: string;
  /** The request target as sent: path and query. */
  readonly target: string;
  /** Names and values by turns, as sent, so that a doubled header is seen. */
  readonly rawHeaders: readonly string[];
  readonly body: Uint8Array;
  /** The caller's address, behind trusted proxies already resolved. */
  readonly remoteAddress: string;
}

/** Resolves if the request proves what it must, throws if not. */
export type Check = (request: InboundRequest) => Promise<void>;

/** The caller did not prove who it is (401). */
export class CredentialsRejected extends DomainError {
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super('unauthenticated', code, message, details);
  }
}

/** What a caller without the right address or without any set-up check gets (403). */
export const forbidden = (code: 'NOT_A_WHITELISTED_IP' | 'ACCESS_DENIED', setting: string): DomainError =>
  refusal('forbidden', code, { setting });

/**
 * The value of a header that may be sent once at most; `undefined`: not sent. Throws INVALID_INPUT where it is doubled:
 * two readers of one request could take different ones.
 */
export function headerOnce({ rawHeaders }: Pick<InboundRequest, 'rawHeaders'>, name: string): string | undefined {
  const wanted = name.toLowerCase();
  let value: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() !== wanted) continue;
    if (value !== undefined) throw new InvalidInput([{ path: name, rule: 'sent more than once' }]);
    value = rawHeaders[i + 1];
  }
  return value;
}

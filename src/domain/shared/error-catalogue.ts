import type { ErrorKind } from './error-kind';

/**
 * The party that can resolve a failure: the caller by another call or a setting of its own, a partner (the `side` of the error) at its
 * back end, the operator by a setting.
 */
export type Acting = 'caller' | 'partner' | 'operator';

/** The meaning of an error code for partners. */
export interface CatalogueEntry {
  readonly meaning: string;
  /** Whether the same call, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** The kinds of failures with this code; a transport has a status for each. */
  readonly kinds: readonly ErrorKind[];
  readonly acts: Acting;
  /** The source of a code that the service never gives by itself. */
  readonly comesFrom?: string;
}

type More = Partial<Pick<CatalogueEntry, 'acts' | 'comesFrom'>> & { readonly kinds?: ErrorKind | readonly ErrorKind[] };

const entry = (meaning: string, retryable: boolean, { kinds = 'invalid', acts = 'caller', comesFrom }: More): CatalogueEntry => ({
  ...{ meaning, retryable, acts, kinds: typeof kinds === 'string' ? [kinds] : kinds },
  ...(comesFrom !== undefined && { comesFrom }),
});
const final = (meaning: string, more: More = {}): CatalogueEntry => entry(meaning, false, more);
const passing = (meaning: string, more: More = {}): CatalogueEntry => entry(meaning, true, more);

const setting: More = { acts: 'operator' };
const unproven: More = { kinds: 'unauthenticated' };
const garbled: More = { kinds: 'partner-garbled', acts: 'partner' };
const fromPartner = (comesFrom: string, acts: Acting = 'partner'): More => ({ kinds: 'partner-refused', acts, comesFrom });

/**
 * Every error code that the service itself can give (contract/conventions#statuses). The only source: documents and the OpenAPI
 * description are generated from it or checked against it. A partner's own code passes through and need not be here.
 */
export const catalogue = {
  PARSING_ERROR_INVALID_REQUEST_BODY: final('The request body is not a valid JSON object'),
  INVALID_INPUT: final('A field is missing or not valid'),
  INVALID_ORDER_DATA: final('A field of the order is missing or not valid'),
  INVALID_EVENT_DATA: final('A field of the event is missing or not valid'),
  INVALID_USER_DATA: final('The user data lacks required fields'),
  ACCESS_DENIED: final('The credentials are missing or wrong', { kinds: ['unauthenticated', 'forbidden'] }),
  MISSING_HEADER: final('A required header is missing', unproven),
  INVALID_SIGNATURE: final('The request signature is not valid', unproven),
  SIGNATURE_VALIDATION_ERROR: final('The request signature could not be checked', unproven),
  NOT_A_WHITELISTED_IP: final("The caller's address is not on the allowlist", { kinds: 'forbidden' }),
  MISSING_REQUEST_SIGNATURE_SETTINGS: final('Request signing is on, but its settings are not complete', setting),
  NOT_FOUND: final('There is nothing at this path', { kinds: 'no-such-path' }),
  METHOD_NOT_ALLOWED: final('This path does not take this method', { kinds: 'wrong-method' }),
  PAYLOAD_TOO_LARGE: final('The request body is too large', { kinds: 'too-large' }),
  UNSUPPORTED_MEDIA_TYPE: final('The body must be JSON in UTF-8, not compressed', { kinds: 'wrong-media-type' }),
  RATE_LIMITED: passing('Too many requests; try again later', { kinds: 'too-many' }),
  UNKNOWN_ERROR: final('Unknown error', { kinds: 'fault', acts: 'operator' }),
  SERVICE_UNAVAILABLE: passing('The service cannot answer right now; try again later', { kinds: 'unavailable', acts: 'operator' }),
  HOSTAPP_NOT_FOUND: final('No host app has this client_id'),
  MINIAPP_NOT_FOUND: final('No miniapp has this app_id'),
  NO_INTEGRATION: final('The host app and the miniapp have no accepted integration', setting),
  HOSTAPP_INTEGRATION_NOT_SET: final('The feature was never set up for the host app', setting),
  MINIAPP_INTEGRATION_NOT_SET: final('The feature was never set up for the miniapp', setting),
  FEATURE_DISABLED_IN_HOSTAPP: final('The feature is switched off in the host app', setting),
  FEATURE_DISABLED_IN_MINIAPP: final('The feature is switched off in the miniapp', setting),
  FEATURE_DISABLED_IN_INTEGRATION: final('The feature is not switched on in the integration', setting),
  ENDPOINT_URL_NOT_SET: final('The partner has no URL stored for this call', setting),
  CONSENT_REQUIRED: final('The user has not given consent'),
  HOSTAPP_USER_ID_REQUIRED: final('order.hostapp_user_id is needed'),
  HOSTAPP_USER_NOT_FOUND: final('No such user of the host app has signed on'),
  ORDER_NOT_FOUND: final('No such order payment'),
  INVALID_PAYMENT_STATUS: final('The payment status is not possible here'),
  INVALID_PAYMENT_STATUS_RESPONSE: final('The host app answered with an unknown payment status', garbled),
  EVENT_RECEIVER_DISABLED: final('The receiver takes no events', setting),
  EVENT_DELIVERY_FAILED: passing('The receiver did not take the event', {
    kinds: ['partner-garbled', 'partner-unreachable'],
    acts: 'partner',
  }),
  EXPIRED_AUTH_CODE: final('The auth code has expired', fromPartner("the host app's Access token URL", 'caller')),
  INVALID_AUTH_CODE: final('The auth code is not valid', fromPartner("the host app's Access token URL", 'caller')),
  EXPIRED_ACCESS_TOKEN: final('The user access token has expired; the user has to sign on again', { kinds: 'partner-refused' }),
  INVALID_ACCESS_TOKEN: final(
    'The user access token is not valid; the user has to sign on again',
    fromPartner("a host app's URL that takes a user access token", 'caller'),
  ),
  UNEXPECTED_RESPONSE_ERROR: passing('The partner did not answer as agreed', {
    kinds: ['partner-garbled', 'partner-unreachable'],
    acts: 'partner',
  }),
  INVALID_RESPONSE_CONTENT_TYPE: final('The partner did not answer with JSON', garbled),
  FAILED_TO_PARSE_RESPONSE: final("The partner's answer is not valid JSON", garbled),
  RESPONSE_ATTRIBUTE_MISSING: final("The partner's answer lacks a required field", garbled),
  DATA_INTEGRITY_ERROR: final('The same id was sent before with other content', { kinds: 'conflict' }),
  IDEMPOTENCY_IN_PROGRESS: passing('A call with this Idempotency-Key is still running', { kinds: 'conflict' }),
  IDEMPOTENCY_MISMATCH: final('This Idempotency-Key was used before with another body', { kinds: 'conflict' }),
  NOT_IMPLEMENTED: final('This is not supported', fromPartner('any URL of a partner')),
  PROCESS_FAIL: final('The call could not be completed', fromPartner('any URL of a partner')),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** Whether a code, ours or a partner's, means that the same call may succeed later. False for unknown codes. */
export const isRetryable = (code: string): boolean => Object.hasOwn(catalogue, code) && catalogue[code as ErrorCode].retryable;

/** What one code means to the partner who reads it. `retryable`: the same call, unchanged, may succeed later. */
export interface CatalogueEntry {
  readonly meaning: string;
  readonly retryable: boolean;
}

const final = (meaning: string): CatalogueEntry => ({ meaning, retryable: false });
const passing = (meaning: string): CatalogueEntry => ({ meaning, retryable: true });

/**
 * Every error code that the service itself can give (contract, decisions §1). The one source: documents and the OpenAPI
 * description are generated from it or checked against it. A partner's own code passes through and need not be here.
 */
export const catalogue = {
  PARSING_ERROR_INVALID_REQUEST_BODY: final('The request body is not a valid JSON object'),
  INVALID_INPUT: final('A field is missing or not valid'),
  INVALID_ORDER_DATA: final('A field of the order is missing or not valid'),
  INVALID_EVENT_DATA: final('A field of the event is missing or not valid'),
  INVALID_USER_DATA: final('The user data does not hold what is needed'),
  ACCESS_DENIED: final('The credentials are missing or wrong'),
  MISSING_HEADER: final('A required header is missing'),
  INVALID_SIGNATURE: final('The request signature is not valid'),
  SIGNATURE_VALIDATION_ERROR: final('The request signature could not be checked'),
  NOT_A_WHITELISTED_IP: final("The caller's address is not on the allowlist"),
  MISSING_REQUEST_SIGNATURE_SETTINGS: final('Request signing is on, but its settings are not complete'),
  NOT_FOUND: final('There is nothing at this path'),
  METHOD_NOT_ALLOWED: final('This path does not take this method'),
  PAYLOAD_TOO_LARGE: final('The request body is too large'),
  UNSUPPORTED_MEDIA_TYPE: final('The body must be JSON in UTF-8, not compressed'),
  RATE_LIMITED: passing('Too many requests; try again later'),
  UNKNOWN_ERROR: final('Unknown error'),
  SERVICE_UNAVAILABLE: passing('The service cannot answer right now; try again later'),
  HOSTAPP_NOT_FOUND: final('No host app has this client_id'),
  MINIAPP_NOT_FOUND: final('No miniapp has this app_id'),
  NO_INTEGRATION: final('The host app and the miniapp have no accepted integration'),
  HOSTAPP_INTEGRATION_NOT_SET: final('The feature was never set up for the host app'),
  MINIAPP_INTEGRATION_NOT_SET: final('The feature was never set up for the miniapp'),
  FEATURE_DISABLED_IN_HOSTAPP: final('The feature is switched off in the host app'),
  FEATURE_DISABLED_IN_MINIAPP: final('The feature is switched off in the miniapp'),
  FEATURE_DISABLED_IN_INTEGRATION: final('The feature is not switched on in the integration'),
  ENDPOINT_URL_NOT_SET: final('The partner has no URL stored for this call'),
  CONSENT_REQUIRED: final('The user has not given consent'),
  HOSTAPP_USER_ID_REQUIRED: final('order.hostapp_user_id is needed'),
  HOSTAPP_USER_NOT_FOUND: final('No such user of the host app has signed on'),
  ORDER_NOT_FOUND: final('No such order payment'),
  INVALID_PAYMENT_STATUS: final('The payment status is not possible here'),
  INVALID_PAYMENT_STATUS_RESPONSE: final('The host app answered with an unknown payment status'),
  EVENT_RECEIVER_DISABLED: final('The receiver takes no events'),
  EVENT_DELIVERY_FAILED: passing('The receiver did not take the event'),
  EXPIRED_AUTH_CODE: final('The auth code has expired'),
  INVALID_AUTH_CODE: final('The auth code is not valid'),
  EXPIRED_ACCESS_TOKEN: final('The user access token has expired; the user has to sign on again'),
  INVALID_ACCESS_TOKEN: final('The user access token is not valid; the user has to sign on again'),
  UNEXPECTED_RESPONSE_ERROR: passing('The partner did not answer as agreed'),
  INVALID_RESPONSE_CONTENT_TYPE: final('The partner did not answer with JSON'),
  FAILED_TO_PARSE_RESPONSE: final("The partner's answer is not valid JSON"),
  RESPONSE_ATTRIBUTE_MISSING: final("The partner's answer lacks a required field"),
  DATA_INTEGRITY_ERROR: final('The same id was sent before with other content'),
  IDEMPOTENCY_IN_PROGRESS: passing('A call with this Idempotency-Key is still running'),
  IDEMPOTENCY_MISMATCH: final('This Idempotency-Key was used before with another body'),
  NOT_IMPLEMENTED: final('This is not supported'),
  PROCESS_FAIL: final('The call could not be completed'),
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** Whether a code, ours or a partner's, says that the same call may succeed later. Unknown codes: no. */
export const isRetryable = (code: string): boolean => Object.hasOwn(catalogue, code) && catalogue[code as ErrorCode].retryable;

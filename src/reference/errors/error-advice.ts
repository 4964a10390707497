import type { ErrorCode } from '../../domain/shared/error-catalogue';

/** Cause of an error code, and how to fix it. */
export interface Advice {
  readonly cause: string;
  readonly fix: string;
}

/** Advice in Markdown for each code of the catalogue; the type makes sure that none is missing. */
export const errorAdvice: Readonly<Record<ErrorCode, Advice>> = {
  PARSING_ERROR_INVALID_REQUEST_BODY: {
    cause: 'The body is not JSON in UTF-8, is no object, holds a member twice, nests deeper than 64, or begins with a byte order mark.',
    fix: 'Send one JSON object, as a JSON library prints it. `custom_attributes.cause` names the mistake.',
  },
  INVALID_INPUT: {
    cause: 'A field is missing, has another type or form, or is too long; or two places say different things.',
    fix: 'Look at `custom_attributes.fields`: each entry names the path of a field and the rule that it breaks.',
  },
  INVALID_ORDER_DATA: {
    cause: 'A field of the order or of the payment is missing or breaks its rule; most often `amount` or `currency`.',
    fix: 'Look at `custom_attributes.fields`. Amounts are decimals with at most 20 digits, two of them after the point, not below 0.',
  },
  INVALID_EVENT_DATA: {
    cause: '`event_type` is missing or too long, or `payload` is no object or larger than 64 KiB.',
    fix: 'Look at `custom_attributes.fields`.',
  },
  INVALID_USER_DATA: {
    cause:
      'The user data lacks what the miniapp needs, or breaks a rule; of `partner/login`: the payload could not be opened or accepted, for whatever reason.',
    fix: 'Send the fields that `custom_attributes.fields` names. For a payload: check key, cipher, alphabet and `exp`; the dashboard opens payloads for who holds the key.',
  },
  ACCESS_DENIED: {
    cause:
      '401: the Basic credentials are missing or wrong, or nobody has this id. 403: the endpoint needs a signature or an allowlist, and the miniapp has neither.',
    fix: '401: send `Authorization: Basic base64(<id>:<Secret key>)`; after a rotation, the new key. 403: set up the request signature or the allowlist, in the dashboard or by the operator.',
  },
  MISSING_HEADER: {
    cause: 'Request signing is on, and a header that the signed text needs was not sent.',
    fix: 'Send all headers of the signature settings under the names that are agreed; the message names the one that is missing.',
  },
  INVALID_SIGNATURE: {
    cause:
      'The signature is not the one of this request: another text, key or hash, a timestamp out of the window, or a nonce used before.',
    fix: 'Ask the explainer (`POST /manage/v1/signatures/explain`, or the dashboard): it names the mistake and shows both texts.',
  },
  SIGNATURE_VALIDATION_ERROR: {
    cause:
      'The signature could not even be checked: it is not in the agreed encoding, the timestamp is no number, or the stored key is of no use.',
    fix: 'Send the signature in the encoding of the settings and the timestamp as digits; check the stored public key.',
  },
  NOT_A_WHITELISTED_IP: {
    cause: 'The allowlist is on, and the address that the call came from is not on it.',
    fix: "Add the address under IP allowlist in the dashboard, or have the operator do so. If all partners are refused, `TRUSTED_PROXIES` does not name the operator's proxy, and every call comes from the proxy's address.",
  },
  MISSING_REQUEST_SIGNATURE_SETTINGS: {
    cause: 'Request signing is on for the app, but a key, secret or other setting that it needs is missing.',
    fix: 'Complete the signature settings, or switch signing off; `custom_attributes.setting` may name the missing one.',
  },
  NOT_FOUND: { cause: 'There is no endpoint at this path.', fix: 'Compare the path, upper and lower case included, with the reference.' },
  METHOD_NOT_ALLOWED: { cause: 'The path exists, and takes other methods.', fix: 'Use a method that the `Allow` header names.' },
  PAYLOAD_TOO_LARGE: {
    cause: 'The body is larger than the limit, 256 KiB unless the operator set another.',
    fix: 'Send less, or in parts.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The `Content-Type` is not `application/json`, its charset is not UTF-8, or the body is compressed.',
    fix: 'Send `Content-Type: application/json` and the body as it is.',
  },
  RATE_LIMITED: {
    cause: 'So many calls in a minute, or so many failed attempts of one app.',
    fix: 'Wait for `Retry-After` seconds. `RateLimit-Limit` and `RateLimit-Remaining` say how much there is.',
  },
  UNKNOWN_ERROR: {
    cause:
      'The service itself failed. With `outcome: unknown`: an earlier run of the same idempotent call died, and what became of it is not known.',
    fix: 'Give the operator the `request_id`. After an order call, read the status before anything is tried again.',
  },
  SERVICE_UNAVAILABLE: {
    cause:
      'The database is away, full or read-only, or did not answer within six seconds; the service stops, or more comes in than can be done. `cause` says which.',
    fix: 'Try again after `Retry-After` seconds: the repeat is right, whether or not the first call was carried out. The operator finds the reason at `/health/ready`.',
  },
  HOSTAPP_NOT_FOUND: { cause: 'No host app has this `client_id`.', fix: 'Send the Client ID as it was issued: `host_` and 12 characters.' },
  MINIAPP_NOT_FOUND: { cause: 'No miniapp has this `app_id`.', fix: 'Send the App ID as it was issued: `app_` and 6 characters.' },
  NO_INTEGRATION: {
    cause: 'The two apps have no integration, or it is proposed or suspended.',
    fix: 'Propose it in the dashboard, and have the other side or the operator accept it; one that is suspended the operator takes up again.',
  },
  HOSTAPP_INTEGRATION_NOT_SET: {
    cause: 'The feature that the call belongs to was never set up for the host app, or credentials to call it with are missing.',
    fix: 'Set up the feature, or the credentials, that `custom_attributes.setting` names.',
  },
  MINIAPP_INTEGRATION_NOT_SET: {
    cause: 'The feature that the call belongs to was never set up for the miniapp, or credentials to call it with are missing.',
    fix: 'Set up the feature, or the credentials, that `custom_attributes.setting` names.',
  },
  FEATURE_DISABLED_IN_HOSTAPP: {
    cause: 'The feature is switched off in the host app.',
    fix: 'Switch on the feature that `custom_attributes.setting` names.',
  },
  FEATURE_DISABLED_IN_MINIAPP: {
    cause: 'The feature is switched off in the miniapp.',
    fix: 'Switch on the feature that `custom_attributes.setting` names.',
  },
  FEATURE_DISABLED_IN_INTEGRATION: {
    cause: 'The feature is not switched on in the integration.',
    fix: 'Switch on the feature that `custom_attributes.setting` names: it must be on at both apps and here.',
  },
  ENDPOINT_URL_NOT_SET: {
    cause: 'The service has to call a partner, and no URL is stored for this call.',
    fix: 'Store the URL that `custom_attributes.setting` names.',
  },
  CONSENT_REQUIRED: {
    cause: 'The host app asks for consent (`consent_required`), and none is recorded for the user and the miniapp.',
    fix: 'Ask the user, and record the consent with `save_consent`.',
  },
  HOSTAPP_USER_ID_REQUIRED: {
    cause: 'Payment calls of this host app go with the user access token, and the order does not say whose.',
    fix: "Put the user's reference at the host app into `order.hostapp_user_id`.",
  },
  HOSTAPP_USER_NOT_FOUND: {
    cause: 'No user of this reference has signed on through this integration, or the stored tokens were revoked.',
    fix: 'Have the user sign on (authorize) before the payment.',
  },
  ORDER_NOT_FOUND: {
    cause: 'No payment of this integration has this `order_payment_id`.',
    fix: 'Send the id as it came from the host app when the payment was created, and the ids of the same pair.',
  },
  INVALID_PAYMENT_STATUS: {
    cause: 'The status is no word of the contract, or the payment has ended otherwise already.',
    fix: 'Use `in_process`, `paid`, `cancelled` or `failed`. A final status stays: a contradiction is shown to the operator as a conflict.',
  },
  INVALID_PAYMENT_STATUS_RESPONSE: {
    cause: "The host app's answer holds a `payment_status` that is no word of the contract.",
    fix: 'The host app must answer `in_process`, `processing`, `paid`, `cancelled` or `failed`.',
  },
  EVENT_RECEIVER_DISABLED: { cause: 'The receiver has no Events bridge URL.', fix: 'Store the `events_bridge_url` of the receiver.' },
  EVENT_DELIVERY_FAILED: {
    cause: 'The receiver did not answer 2xx, or not in time.',
    fix: 'Look at the call in the dashboard. Where events must not be lost, have the operator set `event_delivery` to `durable`.',
  },
  EXPIRED_AUTH_CODE: { cause: 'The auth code is older than the host app allows.', fix: 'Get a new code, and send it at once.' },
  INVALID_AUTH_CODE: {
    cause: 'The host app does not know the auth code, or it was used before.',
    fix: 'Get a new code; send each code once.',
  },
  EXPIRED_ACCESS_TOKEN: {
    cause: "The user's access token has expired, and could not be refreshed.",
    fix: 'Have the user sign on again.',
  },
  INVALID_ACCESS_TOKEN: { cause: "The host app does not accept the user's access token.", fix: 'Have the user sign on again.' },
  UNEXPECTED_RESPONSE_ERROR: {
    cause:
      'The partner was not reached, did not answer in time, redirected, answered with another status than 2xx, or with something too large or not HTTP; or nothing was sent, as the partner is saturated or its circuit is open. `custom_attributes.cause` says which.',
    fix: '`custom_attributes.side` and `step` name the call. With `outcome: unknown` a payment may have been opened: ask the host app before creating another. Without it nothing was: repeat the call, after `Retry-After` seconds where there is one.',
  },
  INVALID_RESPONSE_CONTENT_TYPE: {
    cause: "The partner's answer is not declared as JSON.",
    fix: 'The partner must answer with `Content-Type: application/json`.',
  },
  FAILED_TO_PARSE_RESPONSE: {
    cause: "The partner's answer is declared as JSON and is none.",
    fix: 'The partner must answer with one JSON object in UTF-8.',
  },
  RESPONSE_ATTRIBUTE_MISSING: {
    cause: "A field that the contract asks for is missing in the partner's answer.",
    fix: '`custom_attributes.fields` names it; the partner must send it.',
  },
  DATA_INTEGRITY_ERROR: {
    cause: 'A transaction of this id was reported before, with other content.',
    fix: 'Use a new `transaction_id`, or send the same content again.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'The same call with the same `Idempotency-Key` has not ended yet.',
    fix: 'Wait a moment and send the same call again: its answer is kept for 24 hours.',
  },
  IDEMPOTENCY_MISMATCH: {
    cause: 'The `Idempotency-Key` was used before, with another body.',
    fix: 'Use a new key for each new call, and the same key and the same bytes for a repeat.',
  },
  NOT_IMPLEMENTED: { cause: 'The partner does not support this call.', fix: 'Ask the partner.' },
  PROCESS_FAIL: {
    cause: 'The partner could not complete the call, and says no more.',
    fix: 'Ask the partner; give the `request_id`.',
  },
};

import { text, type Members } from '../../adapters/dto/schema';

/** Headers of signed requests; the names are settings of the caller's app. */
export const signatureHeaders: Members = {
  'X-Client-Id': [text, "The caller's `api_client_id`; needed while its template holds `{client_id}`."],
  'X-Timestamp': [text, 'Unix time of signing in the agreed precision, at most 300 s off; needed while the template holds `{timestamp}`.'],
  'X-Signature': [text, 'Signature over the text of the template, in the agreed encoding; needed while the caller signs.'],
  'X-Nonce': [text, 'Random text that is accepted once; needed while the template holds `{nonce}`.'],
  'X-Identity': [text, "Fixed text of the caller's `identity` setting; needed while the template holds `{identity}`."],
  'X-Merchant-Id': [text, 'Merchant id of the integration; needed while the template holds `{merchant_id}`.'],
};

/** Header of back-end calls. */
export const idempotencyKey: Members = {
  'Idempotency-Key': [
    { ...text, minLength: 1, maxLength: 255 },
    'Printable ASCII that names the intent; for 24 hours the same call with it gets the first answer again.',
  ],
};

/** Headers of all calls. */
export const traceHeaders: Members = {
  'X-Request-Id': [
    text,
    'Id for the call, 1 to 128 characters of `[A-Za-z0-9._-]`; partners get it, too. Otherwise the service makes one.',
  ],
  traceparent: [
    text,
    'W3C Trace Context, passed on to the partner unchanged; with `TRACE_CONTEXT=join` the partner gets one of the same trace.',
  ],
};

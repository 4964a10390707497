import type { Exchange, Leg } from '../exchanges/exchange';
import { catalogue, type ErrorCode } from '../shared/error-catalogue';
import type { Step } from '../shared/errors';
import { callerOf, nameOf } from './lanes';

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What each step of a relay requests. */
const requestedThing: Readonly<Record<Step, string>> = {
  exchange: 'the access token',
  refresh: 'a fresh access token',
  user_data: 'the user data',
  miniapp_token: 'its auth token',
  client_token: "Pierhead's own access token",
  create: 'the payment',
  status: 'the status of the payment',
  webhook: 'the notice how the payment ended',
  event: 'the event',
};

const deniedAddress = 'may not be called: its URL leads to an address that this deployment does not allow';

/** Phrases for our causes: why there was no readable answer. */
const causes: Readonly<Record<string, string>> = {
  timeout: 'did not answer in time',
  dns: 'could not be found: the name in its URL has no address',
  connect: 'could not be reached: nobody takes connections at its URL',
  'connect-timeout': 'could not be reached: no connection came about in time',
  'tls-certificate': 'could not be reached safely: its certificate has expired, or nobody whom Pierhead trusts vouches for it',
  'tls-host-name': 'could not be reached safely: its certificate is for another host name',
  'tls-protocol': 'could not be reached safely: the TLS handshake at its https URL failed, or had no answer in time',
  'denied-address': deniedAddress,
  reset: 'broke the connection off',
  'not-http': 'answered with something that is not HTTP',
  'headers-too-large': 'answered with more headers than are read (16 KiB)',
  'too-large': 'answered with more than is read',
  redirect: 'answered with a redirect',
  compressed: 'answered compressed, which is not read',
  header: 'cannot be called: a value for its headers holds characters that headers may not hold',
  'partner-saturated': 'had as many calls in flight as it may take of Pierhead, so this one was not sent',
  'circuit-open': 'had failed again and again, so this call was not sent: its circuit is open',
  // Causes in records from before 2026-11.
  tls: 'could not be reached safely: TLS failed, or its certificate is not valid for the name',
  address: deniedAddress,
};

const badAnswers: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_RESPONSE_CONTENT_TYPE: 'did not answer with JSON',
  FAILED_TO_PARSE_RESPONSE: 'answered with something that is not valid JSON',
  RESPONSE_ATTRIBUTE_MISSING: 'answered without a field that is required',
  INVALID_PAYMENT_STATUS_RESPONSE: 'answered with a payment status that nobody knows',
};

/** The last failed leg. */
export const failedLeg = ({ legs }: Pick<Exchange, 'legs'>): Leg | undefined =>
  legs.findLast((leg) => leg.errorCode !== undefined || leg.cause !== undefined);

/**
 * Whether a partner itself answered with this code, even if it is one of ours: then the code is about the platform, not about the caller.
 */
export function isPartnersOwnWord(exchange: Exchange): boolean {
  const { errorCode = '' } = exchange;
  if (!failedLeg(exchange) || exchange.failedSide === 'platform') return false;
  return !Object.hasOwn(catalogue, errorCode) || !catalogue[errorCode as ErrorCode].kinds.some((kind) => kind.startsWith('partner-'));
}

/** Describes in one sentence what happened. */
export function whatHappened(exchange: Exchange): string {
  const leg = failedLeg(exchange);
  if (leg && exchange.failedSide !== 'platform')
    return `${upperFirst(nameOf(leg.to))} ${answerOf(leg, exchange)} when it was asked for ${requestedThing[leg.step]}.`;
  const { errorCode = '', refused, call } = exchange;
  const who = nameOf(refused?.of ?? callerOf(call));
  const refusal = refusals[errorCode];
  if (refusal) return `${upperFirst(who)} ${refusal}.`;
  const meaning = Object.hasOwn(catalogue, errorCode) ? catalogue[errorCode as ErrorCode].meaning : undefined;
  return meaning === undefined ? `The call ended with ${errorCode || String(exchange.status)}.` : `${meaning}.`;
}

function answerOf(leg: Leg, { errorCode }: Exchange): string {
  const byCode = badAnswers[(leg.errorCode ?? errorCode) as ErrorCode];
  if (byCode !== undefined) return byCode;
  if (leg.cause !== undefined && Object.hasOwn(causes, leg.cause)) return causes[leg.cause]!;
  const status = leg.status ?? 0;
  if (status === 401 && leg.attempt > 1) return 'answered 401 twice';
  const own = leg.errorCode !== undefined && !Object.hasOwn(catalogue, leg.errorCode);
  if (own) return `refused with its own code ${leg.errorCode ?? ''}`;
  if (status >= 400) return `answered ${String(status)}${leg.errorCode === 'UNEXPECTED_RESPONSE_ERROR' ? '' : ` (${leg.errorCode ?? ''})`}`;
  return `refused (${leg.errorCode ?? 'without a code'})`;
}

/** Phrases by code for a call that was refused because of its caller. */
const refusals: Readonly<Record<string, string>> = {
  ACCESS_DENIED: 'did not prove itself: its Basic credentials are missing or wrong, or no check is set up for it',
  INVALID_SIGNATURE: 'did not sign its call as agreed',
  MISSING_HEADER: 'left out a header that its signature needs',
  SIGNATURE_VALIDATION_ERROR: 'sent a signature that cannot be checked',
  NOT_A_WHITELISTED_IP: 'called from an address that is not on its allowlist',
  PARSING_ERROR_INVALID_REQUEST_BODY: 'sent a body that is not a JSON object',
  PAYLOAD_TOO_LARGE: 'sent a body that is too large',
  UNSUPPORTED_MEDIA_TYPE: 'sent a body that is not declared as JSON in UTF-8, or is compressed',
  RATE_LIMITED: 'called more often than it may in a minute',
  INVALID_INPUT: 'sent a field that is missing or not valid',
  INVALID_ORDER_DATA: 'sent an order with a field that is missing or not valid',
  INVALID_EVENT_DATA: 'sent an event with a field that is missing or not valid',
};

const sameBackEnd = 'Look into its log at this time; the request id went along as X-Request-Id.';

/** The first thing to do, by code. */
const steps: Readonly<Record<string, string>> = {
  ACCESS_DENIED: 'Compare the fingerprint of the secret that is sent with the one under Credentials; a new secret is made by a rotation.',
  INVALID_SIGNATURE: 'Have the signature explained: that names what was signed differently, and gives code that signs it right.',
  MISSING_HEADER: 'Send every header that the signature settings name.',
  SIGNATURE_VALIDATION_ERROR: 'Have the signature explained; the signature settings or keys may not fit each other.',
  NOT_A_WHITELISTED_IP: 'Add the address to the allowlist, or call from one that is on it.',
  PARSING_ERROR_INVALID_REQUEST_BODY: 'Send one JSON object, without comments, doubled members or anything behind it.',
  PAYLOAD_TOO_LARGE: 'Send less in one call; BODY_LIMIT says how much is read.',
  UNSUPPORTED_MEDIA_TYPE: 'Send Content-Type: application/json, not compressed.',
  RATE_LIMITED: 'Wait as long as Retry-After says, and call less often.',
  HOSTAPP_NOT_FOUND: 'Correct the client_id.',
  MINIAPP_NOT_FOUND: 'Correct the app_id.',
  NO_INTEGRATION: 'Have the integration of the two accepted.',
  CONSENT_REQUIRED: "Ask the user for consent, then save it, before the miniapp's token is asked for.",
  INVALID_USER_DATA: 'Send the user fields that the miniapp requires, the reference among them.',
  HOSTAPP_USER_ID_REQUIRED: 'Send order.hostapp_user_id: the user at the host app for whom the order is.',
  HOSTAPP_USER_NOT_FOUND: 'Let the user sign on first.',
  ORDER_NOT_FOUND: 'Use the order_payment_id that the create call answered with, for the same integration.',
  INVALID_PAYMENT_STATUS: 'A payment ends once: report the result it has, or correct it at the host app.',
  EXPIRED_AUTH_CODE: 'Begin the sign-on anew with a fresh code; codes are good once and for a short time.',
  INVALID_AUTH_CODE: 'Begin the sign-on anew with a fresh code; each code is good once.',
  EXPIRED_ACCESS_TOKEN: 'Let the user sign on again.',
  INVALID_ACCESS_TOKEN: 'Let the user sign on again.',
  DATA_INTEGRITY_ERROR: 'Use a new id for new content.',
  UNKNOWN_ERROR: "Look for the request id in Pierhead's log.",
  SERVICE_UNAVAILABLE: 'Look at the database and the load of Pierhead; the call may be repeated.',
};

const allowIt = 'Store a public URL, or allow the network by PARTNER_NETWORKS.';

const byCause: Readonly<Record<string, string>> = {
  dns: 'Correct the host name in the stored URL, or its DNS record.',
  connect: "See that the back end runs, and that its firewall lets Pierhead's addresses in.",
  'partner-saturated': 'Find out why the back end answers slowly. The operator can give one endpoint more with `PARTNER_CONCURRENCY`.',
  'circuit-open': 'See to it that the back end answers: look at the calls before this one. Pierhead tries it again every 5 to 30 seconds.',
  'connect-timeout': "See that a firewall lets Pierhead's addresses in, and that the back end takes connections under load.",
  'tls-certificate': 'Renew the certificate, and have the server send its chain complete; a private authority: NODE_EXTRA_CA_CERTS.',
  'tls-host-name': 'Get a certificate for the host name of the stored URL, or store the name that the certificate is for.',
  'tls-protocol':
    'See that the server speaks TLS 1.2 or 1.3 at the port of the stored URL, answers the handshake in time, and demands no client certificate.',
  'denied-address': allowIt,
  reset:
    'See what closes the connection, whether the server speaks what its URL says (http or https), and that it demands no client certificate.',
  'not-http': 'See that the port of the stored URL is that of an HTTP/1.1 server; an https server needs an https URL.',
  'headers-too-large': 'Send fewer or shorter headers: cookies are of no use here.',
  'too-large': 'Answer with at most 1 MiB.',
  redirect: 'Store the URL that it redirects to: redirects are not followed.',
  tls: 'See that the server speaks TLS 1.2 or 1.3 at the port of the stored URL, and sends its certificate chain complete.',
  address: allowIt,
  timeout: 'Find out what takes so long at this call; the time split shows how long the others took.',
};

/** The first thing to do after a failed call. */
export function nextStepAfter(exchange: Exchange): string {
  const { errorCode = '' } = exchange;
  const leg = failedLeg(exchange);
  if (leg?.cause !== undefined && Object.hasOwn(byCause, leg.cause)) return byCause[leg.cause]!;
  if (Object.hasOwn(steps, errorCode) && !isPartnersOwnWord(exchange)) return steps[errorCode]!;
  if (leg?.status === 401) return `Compare the credentials that Pierhead calls ${nameOf(leg.to)} with to those that it expects.`;
  if (leg) return sameBackEnd;
  if (Object.hasOwn(catalogue, errorCode) && catalogue[errorCode as ErrorCode].acts === 'operator')
    return 'Complete or switch it on in the settings of the app or the integration.';
  return 'Correct the call: the answer names the field or setting.';
}

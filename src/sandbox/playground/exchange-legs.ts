import type { AgreedSignature } from '../signing/agreed-signature';
import { completeOrderPath } from '../partners/completion-calls';
import { verdictOf } from './leg-verdict';
import type { ShownDelivery, ShownExchange, ShownLeg } from '../manage-records';
import type { Lane, PlaygroundLeg } from './playground-leg';
import { clientTokenPath, hostAppPaths } from '../partners/sandbox-host-app';
import { miniappPaths } from '../partners/sandbox-miniapp';

/** Absent when nothing is signed. */
type Signing = AgreedSignature['algorithm'] | undefined;

interface Caller {
  readonly from: Lane;
  readonly call: string;
}

/** The caller of each call in the playground, by the call's name in the records. */
const callers: Readonly<Record<string, Caller>> = {
  connect: { from: 'host app', call: 'POST /api/v1/connect/' },
  authorize: { from: 'host page', call: 'POST /api/v1/authorize/' },
  'partner/login': { from: 'host page', call: 'POST /api/v1/partner/login/' },
  get_consent: { from: 'host page', call: 'GET /api/v1/accounts/consent/get_consent/' },
  save_consent: { from: 'host app', call: 'POST /api/v1/accounts/consent/save_consent/' },
  revoke: { from: 'host app', call: 'POST /api/v1/accounts/consent/revoke/' },
  settings: { from: 'host page', call: 'GET /api/v1/miniapps/{app_id}/settings/' },
  create_order_payment: { from: 'miniapp', call: 'POST /api/v1/orders/create-order-payment/' },
  get_payment_status: { from: 'miniapp', call: 'POST /api/v1/orders/get-payment-status/' },
  complete_order: { from: 'host app', call: `POST ${completeOrderPath}` },
  hostapp_event: { from: 'host app', call: 'POST /api/v1/events/hostapp/' },
  miniapp_event: { from: 'miniapp', call: 'POST /api/v1/events/miniapp/' },
  miniapp_transactions: { from: 'miniapp', call: 'POST /api/v1/analytics/miniapp-transactions/' },
  track: { from: 'miniapp page', call: 'POST /api/v1/analytics/track/' },
};

/** Method and path of each call to a partner, by its step in the records. */
const partnerCalls: Readonly<Record<string, string>> = {
  exchange: `POST ${hostAppPaths.access_token_url}`,
  refresh: `POST ${hostAppPaths.refresh_token_url}`,
  user_data: `GET ${hostAppPaths.user_data_url}`,
  client_token: `POST ${clientTokenPath}`,
  create: `POST ${hostAppPaths.create_order_payment_url}`,
  status: `POST ${hostAppPaths.get_order_payment_status_url}`,
  event: `POST ${hostAppPaths.events_bridge_url}`,
  miniapp_token: `POST ${miniappPaths.get_auth_token_url}`,
  webhook: `POST ${miniappPaths.webhook_url}`,
};

const sides: Readonly<Record<string, 'host app' | 'miniapp'>> = { hostapp: 'host app', miniapp: 'miniapp' };
const receivers = { hostapp: 'host app', miniapp: 'miniapp' } as const;

/**
 * The inbound call of an exchange, if there was one, and the calls to partners that it caused. `signing`: the signature algorithm between
 * the miniapp and the service.
 */
export function legsOfExchange(exchange: ShownExchange, signing?: Signing): PlaygroundLeg[] {
  const caller = callers[exchange.call];
  const inner = exchange.legs.map((leg, i) => partnerLeg(exchange, { leg, index: i, under: caller && exchange.id, signing }));
  if (!caller) return inner;
  const { error_code: code, failed_side: side = '' } = exchange;
  const partner = sides[side];
  const answered = exchange.legs.some((leg) => leg.error_code === code);
  const { proof, details } = admittedBy(exchange, caller, signing);
  const own: PlaygroundLeg = {
    id: exchange.id,
    at: Date.parse(exchange.at),
    ...caller,
    to: 'Pierhead',
    status: exchange.status,
    ms: exchange.ms,
    attempt: 1,
    ...proof,
    ...(code !== undefined && { code, verdict: verdictOf({ code, answered, caller: caller.from, ...(partner && { partner }) }) }),
    details: {
      'Request id': exchange.request_id,
      Exchange: exchange.id,
      'Checks passed': exchange.checks.join(', ') || 'none asked for',
      ...details,
      ...(exchange.reference !== undefined && { User: exchange.reference }),
    },
  };
  return [own, ...inner];
}

/** Describes a signature as a word for the row, and as a sentence for the details. */
const signatureOf = (signing: Signing, who: string) => ({
  proof: signing && { proof: `signed (${signing})` },
  details: signing && { Signature: `${signing} with SHA-256, ${who}` },
});

/**
 * The credentials that admitted a call. The host app's events need the miniapp's proof, too (contract/events#checks-of-a-host-apps-event).
 */
function admittedBy({ call, checks }: ShownExchange, { from }: Caller, signing: Signing) {
  const asMiniapp = checks.includes('signature') && (from === 'miniapp' || call === 'hostapp_event');
  const maker = from === 'miniapp' ? 'the miniapp' : "the host app with the miniapp's key";
  return signatureOf(asMiniapp ? signing : undefined, `made by ${maker}, checked by Pierhead`);
}

/** The signature of the service's own calls to the miniapp. The sandbox miniapp refuses a wrong one. */
const ownSignature = (to: string, signing: Signing) =>
  signatureOf(to === 'miniapp' ? signing : undefined, 'made by Pierhead; the miniapp answers 401 where it does not fit');

interface PartnerLeg {
  readonly leg: ShownLeg;
  readonly index: number;
  readonly under: string | undefined;
  readonly signing: Signing;
}

function partnerLeg(exchange: ShownExchange, { leg, index, under, signing }: PartnerLeg): PlaygroundLeg {
  const to = receivers[leg.to];
  const { proof, details } = ownSignature(to, signing);
  return {
    id: `${exchange.id}.${index}`,
    at: Date.parse(leg.started_at),
    from: 'Pierhead',
    to,
    call: partnerCalls[leg.step] ?? leg.step,
    ms: leg.ms,
    attempt: leg.attempt,
    ...(leg.status !== undefined && { status: leg.status }),
    ...(under !== undefined && { of: under }),
    ...proof,
    ...failureOf(leg, to),
    details: { 'Request id': exchange.request_id, Step: leg.step, ...details },
  };
}

/** Each attempt, and the time of the next one. `signing`: as for an exchange. */
export function legsOfDelivery(delivery: ShownDelivery, signing?: Signing): PlaygroundLeg[] {
  const to = receivers[delivery.receiver];
  const { proof, details } = ownSignature(to, signing);
  const call = partnerCalls[delivery.kind === 'completion' ? 'webhook' : 'event'] ?? delivery.kind;
  return delivery.attempts.map((attempt, i): PlaygroundLeg => {
    const last = i === delivery.attempts.length - 1;
    return {
      id: `${delivery.id}.${i}`,
      at: Date.parse(attempt.at),
      from: 'Pierhead',
      to,
      call,
      ms: attempt.ms,
      attempt: i + 1,
      ...(attempt.status !== undefined && { status: attempt.status }),
      ...proof,
      ...failureOf(attempt, to),
      details: {
        Delivery: delivery.id,
        Reason: attempt.reason,
        ...details,
        ...(last && { State: delivery.state }),
        ...(last && delivery.due_at !== undefined && { 'Next attempt': delivery.due_at }),
      },
    };
  });
}

function failureOf(
  { error_code: code, cause }: Pick<ShownLeg, 'error_code' | 'cause'>,
  partner: string,
): Pick<PlaygroundLeg, 'code' | 'verdict'> {
  return code === undefined ? {} : { code, verdict: verdictOf({ code, cause, partner, answered: true, caller: partner }) };
}

import type { CheckedPartner, CheckName } from '../exchanges/exchange';
import type { Feature } from '../partners/features';
import { asksForBasic } from '../partners/event-checks';
import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import { checkAddress } from './address-check';
import { checkBasic, type DecodeBasic } from './basic-check';
import { forbidden, type Check, type InboundRequest } from './check';
import type { AddressBook, RateLimiter, SecretDigest } from './ports';
import { checkSignature, type SignatureRule, type SignatureTools } from './signature-check';

/** What a route asks of its caller. Every route states one; there is no default (contract/authentication#checks-by-endpoint). */
export interface CredentialPolicy {
  /** Whose credentials are checked; `anyone`: nobody's, whatever the apps have on. */
  readonly caller: 'host-app' | 'miniapp' | 'anyone';
  /** `as-set`: where the host app's settings ask for it; `always`: whatever they say. */
  readonly basic: 'as-set' | 'always' | 'never';
  /** `when-sent`: where the miniapp's `analytics_signature` says so, a call without a signature is not asked for one. */
  readonly signature?: 'when-sent';
  /** What happens where the caller has no check on at all. */
  readonly whenEmpty: 'open' | 'refused';
  /** Must be on at all three levels. */
  readonly feature?: Feature;
  /** No check where the host app's `public_revoke` is on. */
  readonly waivedByPublicRevoke?: boolean;
  /** A host app's event: what the host app must prove where the integration's `host_app_events_checked_by` says so. */
  readonly hostApp?: Demand;
}

/** Which of a partner's checks a call must pass. */
export type Demand = Pick<CredentialPolicy, 'basic' | 'signature' | 'whenEmpty'>;

/** What the checks work with. */
export interface CheckTools extends SignatureTools {
  readonly digest: SecretDigest;
  readonly limiter: RateLimiter;
  readonly addresses: AddressBook;
  readonly decodeBasic: DecodeBasic;
  /** The platform's own payment-service addresses, allowed through every allowlist. */
  readonly platformAddresses: readonly string[];
}

export interface NamedCheck {
  readonly name: CheckName;
  readonly check: Check;
  /** False: the call need not pass it. Absent: each must. */
  readonly applies?: (request: InboundRequest) => boolean;
}

/** The checks that follow from the demand and the caller's settings, in the specified order. All must pass. */
export function checksOf(demand: Demand, rule: SignatureRule, tools: CheckTools): readonly NamedCheck[] {
  const { partner: caller } = rule;
  const { ipWhitelist, signature } = caller.settings;
  const checks: NamedCheck[] = [];
  if (isAskedForBasic(demand, caller))
    checks.push({ name: 'basic', check: checkBasic({ partner: caller, slots: caller.credentials.secret_key }, tools) });
  if (signature.enabled) {
    const applies = (request: InboundRequest): boolean => asksForSignature(demand, caller, request);
    checks.push({ name: 'signature', check: checkSignature(rule, tools), ...(demand.signature === 'when-sent' && { applies }) });
  }
  if (ipWhitelist.enabled) {
    checks.push({ name: 'address', check: checkAddress([ipWhitelist.addresses, tools.platformAddresses], tools.addresses) });
  }
  if (checks.length === 0 && demand.whenEmpty === 'refused') throw forbidden('ACCESS_DENIED', { setting: 'signature' });
  return checks;
}

/** Whether a call is asked for the signature that its caller has on. */
export function asksForSignature({ signature: asked }: Demand, caller: HostApp | Miniapp, request: InboundRequest): boolean {
  if (asked !== 'when-sent' || caller.kind !== 'miniapp' || caller.settings.analyticsSignature !== 'when_sent') return true;
  const name = caller.settings.signature.headerNames.signature.toLowerCase();
  // Authorization holds the Basic credentials of such a call.
  return name !== 'authorization' && request.rawHeaders.some((header, i) => i % 2 === 0 && header.toLowerCase() === name);
}

function isAskedForBasic({ basic }: Demand, caller: HostApp | Miniapp): boolean {
  if (basic !== 'as-set') return basic === 'always';
  return caller.kind === 'host-app' && asksForBasic(caller);
}

/** What an unknown caller meets on a route that can ask for Basic: exactly what a wrong secret meets. */
export const strangersCheck = (partner: CheckedPartner, tools: CheckTools): Check => checkBasic({ partner, slots: undefined }, tools);

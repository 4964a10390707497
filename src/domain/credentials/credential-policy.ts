import type { CheckedPartner, CheckName } from '../exchanges/exchange';
import type { Feature } from '../partners/features';
import { requiresBasic } from '../partners/event-checks';
import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import { checkAddress } from './address-check';
import { checkBasic, type DecodeBasic } from './basic-check';
import { forbidden, type Check, type InboundRequest } from './check';
import type { IpAddressMatcher, RateLimiter, SecretDigestProvider } from './ports';
import { checkSignature, type SignatureRule, type SignatureTools } from './signing/signature-check';

/**
 * The checks that a route requires of its caller. Every route declares one; there is no default
 * (contract/authentication#checks-by-endpoint).
 */
export interface CredentialPolicy {
  /** The partner whose credentials are checked; `anyone`: no check, whatever the partners' settings. */
  readonly caller: 'host-app' | 'miniapp' | 'anyone';
  /** `as-set`: if the host app's settings require it; `always`: whatever they say. */
  readonly basic: 'as-set' | 'always' | 'never';
  /** `when-sent`: a call without a signature may pass, if the miniapp's `analytics_signature` allows it. */
  readonly signature?: 'when-sent';
  /** The result where the caller's settings enable no check at all. */
  readonly whenEmpty: 'open' | 'refused';
  /** The feature that must be enabled at all three levels. */
  readonly feature?: Feature;
  /** Skips all checks where the host app's `public_revoke` is on. */
  readonly waivedByPublicRevoke?: boolean;
  /** For a host app's event: the checks of the host app, if the integration's `host_app_events_checked_by` requires them. */
  readonly hostApp?: Demand;
}

/** The checks of one partner that a call must pass. */
export type Demand = Pick<CredentialPolicy, 'basic' | 'signature' | 'whenEmpty'>;

/** The dependencies of the checks. */
export interface CheckTools extends SignatureTools {
  readonly digest: SecretDigestProvider;
  readonly limiter: RateLimiter;
  readonly addresses: IpAddressMatcher;
  readonly decodeBasic: DecodeBasic;
  /** Addresses of the platform's own payment service, which pass every allowlist. */
  readonly platformAddresses: readonly string[];
}

export interface NamedCheck {
  readonly name: CheckName;
  readonly check: Check;
  /** Whether this call must pass the check. Absent: every call must. */
  readonly applies?: (request: InboundRequest) => boolean;
}

/** The checks for the demand and the caller's settings, in the specified order. All must pass. */
export function checksOf(demand: Demand, rule: SignatureRule, tools: CheckTools): readonly NamedCheck[] {
  const { partner: caller } = rule;
  const { ipWhitelist, signature } = caller.settings;
  const checks: NamedCheck[] = [];
  if (demandsBasic(demand, caller))
    checks.push({ name: 'basic', check: checkBasic({ partner: caller, slots: caller.credentials.secret_key }, tools) });
  if (signature.enabled) {
    const applies = (request: InboundRequest): boolean => requiresSignature(demand, caller, request);
    checks.push({ name: 'signature', check: checkSignature(rule, tools), ...(demand.signature === 'when-sent' && { applies }) });
  }
  if (ipWhitelist.enabled) {
    checks.push({ name: 'address', check: checkAddress([ipWhitelist.addresses, tools.platformAddresses], tools.addresses) });
  }
  if (checks.length === 0 && demand.whenEmpty === 'refused') throw forbidden('ACCESS_DENIED', { setting: 'signature' });
  return checks;
}

/** Whether a call must carry the signature that its caller has enabled. */
export function requiresSignature({ signature: demanded }: Demand, caller: HostApp | Miniapp, request: InboundRequest): boolean {
  if (demanded !== 'when-sent' || caller.kind !== 'miniapp' || caller.settings.analyticsSignature !== 'when_sent') return true;
  const name = caller.settings.signature.headerNames.signature.toLowerCase();
  // On such a call, Authorization holds the Basic credentials, not a signature.
  return name !== 'authorization' && request.rawHeaders.some((header, i) => i % 2 === 0 && header.toLowerCase() === name);
}

function demandsBasic({ basic }: Demand, caller: HostApp | Miniapp): boolean {
  if (basic !== 'as-set') return basic === 'always';
  return caller.kind === 'host-app' && requiresBasic(caller);
}

/** The check for an unknown caller on a route that can require Basic: it fails exactly as a wrong secret does. */
export const strangersCheck = (partner: CheckedPartner, tools: CheckTools): Check => checkBasic({ partner, slots: undefined }, tools);

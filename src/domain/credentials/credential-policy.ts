import type { CheckedPartner, CheckName } from '../exchanges/exchange';
import type { Feature } from '../partners/features';
import { asksForBasic } from '../partners/event-checks';
import type { HostApp } from '../partners/host-app';
import type { Miniapp } from '../partners/miniapp';
import { checkAddress } from './address-check';
import { checkBasic, type DecodeBasic } from './basic-check';
import { forbidden, type Check } from './check';
import type { AddressBook, RateLimiter, SecretDigest } from './ports';
import { checkSignature, type SignatureRule, type SignatureTools } from './signature-check';

/** What a route asks of its caller. Every route states one; there is no default (decisions §1, Order of work). */
export interface CredentialPolicy {
  /** Whose credentials are checked; `anyone`: nobody's, whatever the apps have on. */
  readonly caller: 'host-app' | 'miniapp' | 'anyone';
  /** `as-set`: where the host app's settings ask for it; `always`: whatever they say. */
  readonly basic: 'as-set' | 'always' | 'never';
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
export type Demand = Pick<CredentialPolicy, 'basic' | 'whenEmpty'>;

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
}

/** The checks that follow from the demand and the caller's settings, in the specified order. All must pass. */
export function checksOf(demand: Demand, rule: SignatureRule, tools: CheckTools): readonly NamedCheck[] {
  const { partner: caller } = rule;
  const { ipWhitelist, signature } = caller.settings;
  const checks: NamedCheck[] = [];
  if (isAskedForBasic(demand, caller))
    checks.push({ name: 'basic', check: checkBasic({ partner: caller, slots: caller.credentials.secret_key }, tools) });
  if (signature.enabled) checks.push({ name: 'signature', check: checkSignature(rule, tools) });
  if (ipWhitelist.enabled) {
    checks.push({ name: 'address', check: checkAddress([ipWhitelist.addresses, tools.platformAddresses], tools.addresses) });
  }
  if (checks.length === 0 && demand.whenEmpty === 'refused') throw forbidden('ACCESS_DENIED', { setting: 'signature' });
  return checks;
}

function isAskedForBasic({ basic }: Demand, caller: HostApp | Miniapp): boolean {
  if (basic !== 'as-set') return basic === 'always';
  return caller.kind === 'host-app' && asksForBasic(caller);
}

/** What an unknown caller meets on a route that can ask for Basic: exactly what a wrong secret meets. */
export const strangersCheck = (partner: CheckedPartner, tools: CheckTools): Check => checkBasic({ partner, slots: undefined }, tools);

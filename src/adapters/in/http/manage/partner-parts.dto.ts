import type { FeatureSwitches } from '../../../../domain/partners/features';
import type { IpWhitelist } from '../../../../domain/partners/host-app';
import { present } from './present';
import { Flag, ListOf, Optional, text } from './rules';

/** Which features are on, off, or never set up. */
export class FeaturesDto {
  @Optional() @Flag() sso?: boolean;
  @Optional() @Flag() payments?: boolean;
  @Optional() @Flag() events?: boolean;
}

/** Who may call, by address; each entry is judged by the address book. */
export class IpWhitelistDto {
  @Optional() @Flag() enabled?: boolean;
  @Optional() @ListOf(text(64), 1000) addresses?: string[];
}

export const featureSwitches = (facts: FeaturesDto | undefined): FeatureSwitches =>
  present({ sso: facts?.sso, payments: facts?.payments, events: facts?.events });

export const ipWhitelist = (facts: IpWhitelistDto | undefined): IpWhitelist => ({
  enabled: facts?.enabled ?? false,
  addresses: facts?.addresses ?? [],
});

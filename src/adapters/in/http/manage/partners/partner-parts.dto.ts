import type { FeatureSwitches } from '../../../../../domain/partners/features';
import type { IpWhitelist } from '../../../../../domain/partners/host-app';
import { isPlainObject, type PlainObject } from '../http/merge-patch';
import { present } from '../http/present';
import { Description, Flag, ListOf, Optional, Rule, sizedText } from '../../../../dto/decorators';

/** A URL that a browser opens and the service never calls. This checks its size; `tidyUrls` checks the rest. */
export const pageUrl = sizedText(500);

export const PageUrl = (): PropertyDecorator => Rule(pageUrl);

/** Features by name: true is on, false is off, absent means never set up. */
@Description('Features by name: true is on, false switched off, absent never set up.')
export class FeaturesDto {
  @Optional('Sign-on by connect, authorize and partner/login.') @Flag() sso?: boolean;
  @Optional('Creating, reading and completing payments for orders.') @Flag() payments?: boolean;
  @Optional('Events in both directions over the event bridge.') @Flag() events?: boolean;
}

const labelShape = { type: 'object', maxProperties: 1000, additionalProperties: { type: 'string', minLength: 1, maxLength: 80 } };
const labelProblem = (value: unknown): string | undefined => {
  if (!isPlainObject(value)) return 'must be an object';
  if (Object.keys(value).length > 1000) return 'must have at most 1000 members';
  const problem = Object.values(value).map(sizedText(80).problemOf).find(Boolean);
  return problem && `must hold texts: one ${problem}`;
};

/** Addresses that may call. The IP address matcher checks each entry. */
@Description("The addresses from which an app's server may call.")
export class IpWhitelistDto {
  @Optional("Whether the list decides; on and empty, nobody but the platform's own addresses passes. False unless set.")
  @Flag()
  enabled?: boolean;
  @Optional('Single addresses and networks in CIDR notation, IPv4 and IPv6, such as `203.0.113.0/24`.')
  @ListOf(sizedText(64), 1000)
  addresses?: string[];
  @Optional('Names for people, by the text of the entry; a label without its entry is dropped.')
  @Rule({ schema: labelShape, problemOf: labelProblem })
  labels?: Record<string, string>;
}

export const featureSwitches = (input: FeaturesDto | undefined): FeatureSwitches =>
  present({ sso: input?.sso, payments: input?.payments, events: input?.events });

/** Keeps only the labels whose entry is in the list. */
export function ipWhitelist({ enabled = false, addresses = [], labels: named = {} }: IpWhitelistDto = {}): IpWhitelist {
  const kept = Object.fromEntries(Object.entries(named).filter(([entry]) => addresses.includes(entry)));
  return { enabled, addresses, ...(Object.keys(kept).length > 0 && { labels: kept }) };
}

/** The allowlist in the form of the API. */
export const ipWhitelistView = ({ enabled, addresses, labels: named }: IpWhitelist): PlainObject => ({
  enabled,
  addresses: [...addresses],
  ...(named && { labels: { ...named } }),
});

import type { FeatureSwitches } from '../../../../domain/partners/features';
import type { IpWhitelist } from '../../../../domain/partners/host-app';
import { isPlainObject, type PlainObject } from './merge-patch';
import { present } from './present';
import { Flag, ListOf, Optional, Rule, sizedText } from '../../../dto/decorators';

/** A page that a browser opens, not one that the service calls: its size. What else it must be is judged as it is sent (`tidyUrls`). */
export const pageUrl = sizedText(500);

export const PageUrl = (): PropertyDecorator => Rule(pageUrl);

/** Which features are on, off, or never set up. */
export class FeaturesDto {
  @Optional() @Flag() sso?: boolean;
  @Optional() @Flag() payments?: boolean;
  @Optional() @Flag() events?: boolean;
}

const labelShape = { type: 'object', maxProperties: 1000, additionalProperties: { type: 'string', minLength: 1, maxLength: 80 } };
const labelProblem = (value: unknown): string | undefined => {
  if (!isPlainObject(value)) return 'must be an object';
  if (Object.keys(value).length > 1000) return 'must have at most 1000 members';
  const problem = Object.values(value).map(sizedText(80).problemOf).find(Boolean);
  return problem && `must hold texts: one ${problem}`;
};

/** Who may call, by address; each entry is judged by the address book. */
export class IpWhitelistDto {
  @Optional() @Flag() enabled?: boolean;
  @Optional() @ListOf(sizedText(64), 1000) addresses?: string[];
  /** What an entry is called, by its text. */
  @Optional() @Rule({ schema: labelShape, problemOf: labelProblem }) labels?: Record<string, string>;
}

export const featureSwitches = (facts: FeaturesDto | undefined): FeatureSwitches =>
  present({ sso: facts?.sso, payments: facts?.payments, events: facts?.events });

/** A label goes with its entry. */
export function ipWhitelist({ enabled = false, addresses = [], labels: named = {} }: IpWhitelistDto = {}): IpWhitelist {
  const kept = Object.fromEntries(Object.entries(named).filter(([entry]) => addresses.includes(entry)));
  return { enabled, addresses, ...(Object.keys(kept).length > 0 && { labels: kept }) };
}

/** The allowlist as it is shown. */
export const ipWhitelistView = ({ enabled, addresses, labels: named }: IpWhitelist): PlainObject => ({
  enabled,
  addresses: [...addresses],
  ...(named && { labels: { ...named } }),
});

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

import {
  Flag,
  HeaderText,
  Nested,
  OneOf,
  Optional,
  Required,
  Rule,
  SettingsList,
  sizedText,
  Text,
  Whole,
  type ValueRule,
} from '../../../dto/decorators';
import { isPlainObject } from './merge-patch';
import { FeaturesDto, IpWhitelistDto, PageUrl } from './partner-parts.dto';
import { SignatureDto } from './signature.dto';

class ConsentLinkDto {
  @Required() @Text(250) title!: string;
  @Required() @PageUrl() url!: string;
}

const colorShape = {
  type: 'object',
  maxProperties: 64,
  propertyNames: { pattern: '^[A-Za-z0-9_.-]{1,64}$' },
  additionalProperties: { type: 'string', minLength: 1, maxLength: 100 },
};
const colorProblem = (value: unknown): string | undefined => {
  if (!isPlainObject(value)) return 'must be an object';
  const entries = Object.entries(value);
  if (entries.length > 64) return 'must have at most 64 members';
  const wrong = entries.some(([name, color]) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name) || sizedText(100).problemOf(color) !== undefined);
  return wrong ? 'must map names of 1 to 64 characters of A-Z, a-z, 0-9, _, . and - to texts of 1 to 100 characters' : undefined;
};

// RFC 7617: a colon would end the user name. RFC 6749 §3.3: the characters of a scope.
const basicUser = /^[\x21-\x39\x3b-\x7e]{1,64}$/;
const scope = /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,1000}$/;
const scheme = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
const matching = (pattern: RegExp, says: string): ValueRule => ({
  schema: { type: 'string', pattern: pattern.source },
  problemOf: (value) => {
    if (typeof value !== 'string') return 'must be text';
    return pattern.test(value) ? undefined : says;
  },
});

/** A host app as it is written and, but for the write-only member, read (contract/resources#host-app). Partner URLs are judged by the outbound guard. */
export class HostAppDto {
  @Required() @Text(250) name!: string;
  @Optional() @PageUrl() logo?: string;
  @Optional() @Flag() basic_auth_validation?: boolean;
  @Optional() @Flag() basic_with_signature?: boolean;
  @Optional() @Rule(matching(basicUser, 'must be 1 to 64 printable ASCII characters without blank and colon')) host_app_client_id?: string;
  /** Write-only. */
  @Optional() @Text(1000) host_app_secret_key?: string;
  @Optional() @Rule(matching(scheme, 'must be one word of 1 to 64 characters')) credential_scheme?: string;
  @Optional() @Text(500) access_token_url?: string;
  @Optional() @Text(500) refresh_token_url?: string;
  @Optional() @Text(500) user_data_url?: string;
  @Optional() @Text(500) create_order_payment_url?: string;
  @Optional() @Text(500) get_order_payment_status_url?: string;
  @Optional() @Text(500) events_bridge_url?: string;
  @Optional() @HeaderText(64) access_token_prefix?: string;
  @Optional() @Flag() use_access_token?: boolean;
  @Optional() @Text(500) client_access_token_url?: string;
  @Optional() @Rule(matching(scope, 'must be a scope as in RFC 6749')) client_access_token_scope?: string;
  @Optional() @Flag() consent_in_popup?: boolean;
  @Optional() @Flag() server_side_sign_on?: boolean;
  @Optional() @Flag() consent_required?: boolean;
  @Optional() @Flag() public_revoke?: boolean;
  @Optional() @Flag() is_consent_enabled?: boolean;
  @Optional() @Text(10_000) consent_text?: string;
  @Optional() @Rule({ schema: colorShape, problemOf: colorProblem }) colors?: Record<string, string>;
  @Optional() @SettingsList(() => ConsentLinkDto, 20) consent_links?: ConsentLinkDto[];
  @Optional() @OneOf(['any', 'gcm']) payload_cipher?: 'any' | 'gcm';
  @Optional() @Whole(1, 10_000) reconcile_max_per_second?: number;
  @Optional() @Nested(() => IpWhitelistDto) ip_whitelist?: IpWhitelistDto;
  @Optional() @Nested(() => FeaturesDto) features?: FeaturesDto;
  @Optional() @Flag() takes_proposals?: boolean;
  @Optional() @Flag() public_miniapp_list?: boolean;
  @Optional() @Nested(() => SignatureDto) signature?: SignatureDto;
}

import {
  Description,
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
} from '../../../../dto/decorators';
import { isPlainObject } from '../http/merge-patch';
import { FeaturesDto, IpWhitelistDto, PageUrl } from './partner-parts.dto';
import { SignatureDto } from '../credentials/signature.dto';

@Description('A link under the question of the consent dialog.')
class ConsentLinkDto {
  @Required('Words of the link that the user sees.') @Text(250) title!: string;
  @Required('Page that the link opens, such as a privacy statement.') @PageUrl() url!: string;
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

// RFC 7617: a colon ends the user name. RFC 6749 §3.3: the characters of a scope.
const basicUser = /^[\x21-\x39\x3b-\x7e]{1,64}$/;
const scope = /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,1000}$/;
const scheme = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/;
const matching = (pattern: RegExp, message: string): ValueRule => ({
  schema: { type: 'string', pattern: pattern.source },
  problemOf: (value) => {
    if (typeof value !== 'string') return 'must be text';
    return pattern.test(value) ? undefined : message;
  },
});

/**
 * The settings of a host app; all but the write-only member can also be read (contract/resources#host-app). The outbound guard checks
 * partner URLs.
 */
@Description('The settings of a host app, as they are written.')
export class HostAppDto {
  @Required('Name that users and partners see.') @Text(250) name!: string;
  @Optional('Address of a picture that browsers load; https, or http where the deployment allows it.') @PageUrl() logo?: string;
  @Optional('Whether connect and complete-order need Basic with the Client ID and the Secret key; true unless set.')
  @Flag()
  basic_auth_validation?: boolean;
  @Optional('While signing is on: true asks for Basic beside the signature, false lets the signature replace it, the default.')
  @Flag()
  basic_with_signature?: boolean;
  @Optional('User name of Basic on calls to the host app; the host app chooses it.')
  @Rule(matching(basicUser, 'must be 1 to 64 printable ASCII characters without blank and colon'))
  host_app_client_id?: string;
  @Optional('Password of Basic on calls to the host app. It is written and never shown; a fingerprint is.')
  @Text(1000)
  host_app_secret_key?: string;
  @Optional('Word before the Basic value on calls to the host app; `Basic` unless set.')
  @Rule(matching(scheme, 'must be one word of 1 to 64 characters'))
  credential_scheme?: string;
  @Optional('Endpoint that exchanges an auth code for tokens of a user. Absent: authorize is refused.')
  @Text(500)
  access_token_url?: string;
  @Optional("Endpoint that renews a user's tokens after a 401. Absent: the user has to sign on again.")
  @Text(500)
  refresh_token_url?: string;
  @Optional('Endpoint that answers a GET with the user of an access token. Absent: authorize is refused.')
  @Text(500)
  user_data_url?: string;
  @Optional('Endpoint that opens a payment for an order. Absent: create-order-payment is refused.')
  @Text(500)
  create_order_payment_url?: string;
  @Optional('Endpoint that tells how a payment stands. Absent: nobody can ask, the service included.')
  @Text(500)
  get_order_payment_status_url?: string;
  @Optional('Endpoint that takes events of miniapps. Absent: their events are refused.') @Text(500) events_bridge_url?: string;
  @Optional("Word before a user's access token in `Authorization`; `Token` unless set.") @HeaderText(64) access_token_prefix?: string;
  @Optional("Whether calls about payments carry the user's access token; false unless set.") @Flag() use_access_token?: boolean;
  @Optional('Endpoint that issues client access tokens (RFC 6749 §4.4), which then replace Basic. Absent: Basic stays.')
  @Text(500)
  client_access_token_url?: string;
  @Optional('Scope that the service asks for there. Absent: it asks for none.')
  @Rule(matching(scope, 'must be a scope as in RFC 6749'))
  client_access_token_scope?: string;
  @Optional('Tells the SDK to ask for consent in a popup; false unless set.') @Flag() consent_in_popup?: boolean;
  @Optional("Tells the SDK that the host app's server finishes the sign-on; false unless set.") @Flag() server_side_sign_on?: boolean;
  @Optional('Whether a sign-on needs a consent that save_consent recorded; false unless set.') @Flag() consent_required?: boolean;
  @Optional('Whether anybody may revoke a consent without credentials; false unless set.') @Flag() public_revoke?: boolean;
  @Optional('Tells the SDK to ask users before it passes their data on.') @Flag() is_consent_enabled?: boolean;
  @Optional("Question of the SDK's consent dialog.") @Text(10_000) consent_text?: string;
  @Optional('Colours for the SDK by name, such as `{"primary": "#0b3d5c"}`.')
  @Rule({ schema: colorShape, problemOf: colorProblem })
  colors?: Record<string, string>;
  @Optional('Links under the question of the consent dialog.') @SettingsList(() => ConsentLinkDto, 20) consent_links?: ConsentLinkDto[];
  @Optional('`gcm`: partner/login takes AES-256-GCM alone; `any`, the default, takes AES-256-CBC as well.')
  @OneOf(['any', 'gcm'])
  payload_cipher?: 'any' | 'gcm';
  @Optional('Most status polls a second that the host app gets about payments in process. Absent: `RECONCILE_MAX_PER_SECOND`.')
  @Whole(1, 10_000)
  reconcile_max_per_second?: number;
  @Optional("Addresses from which the host app's server may call, where the list is on.")
  @Nested(() => IpWhitelistDto)
  ip_whitelist?: IpWhitelistDto;
  @Optional('Features that the host app has set up; each must be on at the miniapp and the integration, too.')
  @Nested(() => FeaturesDto)
  features?: FeaturesDto;
  @Optional('Whether miniapps may propose an integration to the host app; true unless set.') @Flag() takes_proposals?: boolean;
  @Optional('Whether pages may list the miniapps of its accepted integrations; true unless set.') @Flag() public_miniapp_list?: boolean;
  @Optional('How requests between the host app and the service are signed.') @Nested(() => SignatureDto) signature?: SignatureDto;
}

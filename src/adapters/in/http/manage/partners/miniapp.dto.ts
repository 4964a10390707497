import { type AnalyticsSignature, analyticsSignatures, type UserField, userFields } from '../../../../../domain/partners/miniapp';
import { Description, Flag, ListOf, Nested, OneOf, Optional, Required, Text, type ValueRule } from '../../../../dto/decorators';
import { FeaturesDto, IpWhitelistDto, PageUrl, pageUrl } from './partner-parts.dto';
import { SignatureDto } from '../credentials/signature.dto';

const userField: ValueRule = {
  schema: { type: 'string', enum: [...userFields] },
  problemOf: (value) => ((userFields as readonly unknown[]).includes(value) ? undefined : `must be one of ${userFields.join(', ')}`),
};

/** The settings of a miniapp (contract/resources#miniapp). The outbound guard checks partner URLs. */
@Description('The settings of a miniapp, as they are written.')
export class MiniappDto {
  @Required('Name that users and partners see.') @Text(250) name!: string;
  @Optional('Address of a picture that browsers load; https, or http where the deployment allows it.') @PageUrl() logo?: string;
  @Optional('Page that the SDK opens. Absent: the SDK has nothing to open.') @PageUrl() url?: string;
  @Optional('What the miniapp offers, for people who choose from a list of miniapps.') @Text(1000) long_description?: string;
  @Optional('Heading under which a list of miniapps shows it, such as `Travel`.') @Text(100) category?: string;
  @Optional('`commerce` needs an e-mail address or a phone number of each user; `standard`, the default, needs neither.')
  @OneOf(['standard', 'commerce'])
  kind?: 'standard' | 'commerce';
  @Optional('User fields without which the miniapp makes no session; a sign-on without one is refused.')
  @ListOf(userField, 20)
  required_user_fields?: UserField[];
  @Optional('Endpoint that makes a session out of user data. Absent: every sign-on is refused.') @Text(500) get_auth_token_url?: string;
  @Optional('Endpoint that takes the completions of payments. Absent: attempts fail and are repeated until it is set.')
  @Text(500)
  webhook_url?: string;
  @Optional('Endpoint that takes events of host apps. Absent: their events are refused.') @Text(500) events_bridge_url?: string;
  @Optional('Addresses that the miniapp may open in the SDK beside its own page.') @ListOf(pageUrl, 200) white_listed_urls?: string[];
  @Optional("Addresses from which the miniapp's server may call, where the list is on.")
  @Nested(() => IpWhitelistDto)
  ip_whitelist?: IpWhitelistDto;
  @Optional('Features that the miniapp has set up; each must be on at the host app and the integration, too.')
  @Nested(() => FeaturesDto)
  features?: FeaturesDto;
  @Optional('Whether host apps may propose an integration to the miniapp; true unless set.') @Flag() takes_proposals?: boolean;
  @Optional('While the miniapp signs: `required`, the default, wants signed reports; `when_sent` checks only a signature that is there.')
  @OneOf([...analyticsSignatures])
  analytics_signature?: AnalyticsSignature;
  @Optional('How requests between the miniapp and the service are signed.') @Nested(() => SignatureDto) signature?: SignatureDto;
}

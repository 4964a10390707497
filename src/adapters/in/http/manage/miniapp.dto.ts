import { type AnalyticsSignature, analyticsSignatures, type UserField, userFields } from '../../../../domain/partners/miniapp';
import { Flag, ListOf, Nested, OneOf, Optional, Required, Text, type ValueRule } from '../../../dto/decorators';
import { FeaturesDto, IpWhitelistDto, PageUrl, pageUrl } from './partner-parts.dto';
import { SignatureDto } from './signature.dto';

const userField: ValueRule = {
  schema: { type: 'string', enum: [...userFields] },
  problemOf: (value) => ((userFields as readonly unknown[]).includes(value) ? undefined : `must be one of ${userFields.join(', ')}`),
};

/** A miniapp as it is written and read (contract/resources#miniapp). Partner URLs are judged by the outbound guard. */
export class MiniappDto {
  @Required() @Text(250) name!: string;
  @Optional() @PageUrl() logo?: string;
  @Optional() @PageUrl() url?: string;
  @Optional() @Text(1000) long_description?: string;
  @Optional() @Text(100) category?: string;
  @Optional() @OneOf(['standard', 'commerce']) kind?: 'standard' | 'commerce';
  @Optional() @ListOf(userField, 20) required_user_fields?: UserField[];
  @Optional() @Text(500) get_auth_token_url?: string;
  @Optional() @Text(500) webhook_url?: string;
  @Optional() @Text(500) events_bridge_url?: string;
  @Optional() @ListOf(pageUrl, 200) white_listed_urls?: string[];
  @Optional() @Nested(() => IpWhitelistDto) ip_whitelist?: IpWhitelistDto;
  @Optional() @Nested(() => FeaturesDto) features?: FeaturesDto;
  @Optional() @Flag() takes_proposals?: boolean;
  @Optional() @OneOf([...analyticsSignatures]) analytics_signature?: AnalyticsSignature;
  @Optional() @Nested(() => SignatureDto) signature?: SignatureDto;
}

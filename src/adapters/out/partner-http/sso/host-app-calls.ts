import { JsonObject } from '../../../../domain/shared/json';
import type { Secret } from '../../../../domain/shared/secret';
import { Email, Id, JsonMembers, Optional, Phone, Required, Text } from '../../../dto/decorators';
import type { PartnerCall } from '../partner-call';
import { HeaderToken, longestToken } from '../reply-rules';

class UserTokensReply {
  @Required("Token with which the service reads the user's data and, with `use_access_token`, makes payment calls.")
  @HeaderToken()
  access_token!: string;
  @Optional('Token for `refresh_token_url` after a 401; absent: an older one stays in use.')
  @Text({ max: longestToken })
  refresh_token?: string;
}

class UserDataReply {
  @Required('Id of the user at the host app; the same on every sign-on.') @Id({ min: 1, max: 100 }) reference!: string;
  @Optional('Address that the host app has verified.') @Email() email?: string;
  @Optional('Number that the host app has verified.') @Phone() phone?: string;
  @Optional('Given name of the user, as the host app has it.') @Text({ max: 250 }) first_name?: string;
  @Optional('Family name of the user, as the host app has it.') @Text({ max: 250 }) last_name?: string;
  @Optional('Further data for the miniapp, relayed unchanged.') @JsonMembers() custom_attributes?: JsonObject;
}

/** Exchanges an auth code for a user's tokens. */
export const exchangeCode: PartnerCall<{ authCode: Secret }, UserTokensReply> = {
  leg: { side: 'hostapp', step: 'exchange' },
  method: 'POST',
  setting: 'access_token_url',
  url: ({ hostApp }) => hostApp.settings.endpoints.accessToken,
  body: ({ authCode }) => JsonObject.of({ auth_code: authCode.reveal() }),
  Reply: UserTokensReply,
};

/** Exchanges a refresh token for new tokens. */
export const refreshTokens: PartnerCall<{ refreshToken: Secret }, UserTokensReply> = {
  leg: { side: 'hostapp', step: 'refresh' },
  method: 'POST',
  setting: 'refresh_token_url',
  url: ({ hostApp }) => hostApp.settings.endpoints.refreshToken,
  body: ({ refreshToken }) => JsonObject.of({ refresh_token: refreshToken.reveal() }),
  Reply: UserTokensReply,
};

/** Reads the user of an access token. */
export const readUser: PartnerCall<undefined, UserDataReply> = {
  leg: { side: 'hostapp', step: 'user_data' },
  method: 'GET',
  setting: 'user_data_url',
  url: ({ hostApp }) => hostApp.settings.endpoints.userData,
  Reply: UserDataReply,
  part: (answer) => {
    const json = answer.get('user_data') ?? undefined;
    return json === undefined ? { prefix: '', json: answer } : { prefix: 'user_data.', json };
  },
  malformed: 'INVALID_USER_DATA',
};

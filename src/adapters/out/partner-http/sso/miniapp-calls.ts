import { JsonObject } from '../../../../domain/shared/json';
import type { UserData } from '../../../../domain/sso/user-data';
import { Optional, Required, Text } from '../../../dto/decorators';
import type { PartnerCall } from '../partner-call';
import { longestToken, Token } from '../reply-rules';

class AuthTokenReply {
  @Required('Token of the session at the miniapp; `token` is read in its absence.') @Token() auth_token!: string;
  @Optional('Token that renews the session; absent where the miniapp has none.') @Text({ max: longestToken }) refresh_token?: string;
}

/** Exchanges user data for a session at the miniapp. */
export const getAuthToken: PartnerCall<JsonObject, AuthTokenReply> = {
  leg: { side: 'miniapp', step: 'miniapp_token' },
  method: 'POST',
  setting: 'get_auth_token_url',
  url: ({ miniapp }) => miniapp.settings.endpoints.getAuthToken,
  body: (userData) => userData,
  Reply: AuthTokenReply,
  part: (answer) => {
    const token = answer.get('auth_token') ?? answer.get('token');
    return { prefix: '', json: JsonObject.of({ auth_token: token, refresh_token: answer.get('refresh_token') }) };
  },
};

/** User data as the contract's UserData. */
export const userDataJson = (user: UserData): JsonObject =>
  JsonObject.of({
    reference: user.reference,
    email: user.email,
    phone: user.phone,
    first_name: user.firstName,
    last_name: user.lastName,
    custom_attributes: user.customAttributes,
  });

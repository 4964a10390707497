import type { Relay } from '../../../../domain/exchanges/exchange';
import type { Integration } from '../../../../domain/partners/integrations/integration';
import { Secret } from '../../../../domain/shared/secret';
import type { HostAppSignOnGateway } from '../../../../domain/sso/ports';
import type { UserTokens } from '../../../../domain/sso/tokens';
import type { UserData } from '../../../../domain/sso/user-data';
import { exchangeCode, readUser, refreshTokens } from './host-app-calls';
import type { PartnerHttpClient } from '../partner-http-client';

/** Calls a host app's back end for sign-on over HTTP. */
export class HttpHostAppSignOnGateway implements HostAppSignOnGateway {
  constructor(private readonly client: PartnerHttpClient) {}

  async exchangeCode(relay: Relay, integration: Integration, authCode: Secret): Promise<UserTokens> {
    return tokensOf(await this.client.send(exchangeCode, { relay, integration, input: { authCode } }));
  }

  async refresh(relay: Relay, integration: Integration, refreshToken: Secret): Promise<UserTokens> {
    return tokensOf(await this.client.send(refreshTokens, { relay, integration, input: { refreshToken } }));
  }

  async userData(relay: Relay, integration: Integration, accessToken: Secret, attempt: number): Promise<UserData> {
    const reply = await this.client.send(readUser, { relay, integration, input: undefined, userToken: accessToken, attempt });
    const { reference, email, phone, first_name: firstName, last_name: lastName, custom_attributes: customAttributes } = reply;
    return { reference, email, phone, firstName, lastName, customAttributes };
  }
}

/** Treats an empty refresh token as absent. */
const tokensOf = (reply: { access_token: string; refresh_token?: string }): UserTokens => ({
  accessToken: new Secret(reply.access_token),
  refreshToken: reply.refresh_token ? new Secret(reply.refresh_token) : undefined,
});

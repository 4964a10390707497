import type { Relay } from '../../../../domain/exchanges/exchange';
import type { Integration } from '../../../../domain/partners/integrations/integration';
import type { JsonObject } from '../../../../domain/shared/json';
import { Secret } from '../../../../domain/shared/secret';
import type { MiniappLoginGateway, MiniappSignOnGateway } from '../../../../domain/sso/ports';
import type { TokenPair } from '../../../../domain/sso/tokens';
import type { UserData } from '../../../../domain/sso/user-data';
import { userDataJson, getAuthToken } from './miniapp-calls';
import type { PartnerHttpClient } from '../partner-http-client';

/** Calls a miniapp's back end for sign-on over HTTP. */
export class HttpMiniappSignOnGateway implements MiniappSignOnGateway, MiniappLoginGateway {
  constructor(private readonly client: PartnerHttpClient) {}

  authToken(relay: Relay, integration: Integration, user: UserData): Promise<TokenPair> {
    return this.login(relay, integration, userDataJson(user));
  }

  async login(relay: Relay, integration: Integration, claims: JsonObject): Promise<TokenPair> {
    const reply = await this.client.send(getAuthToken, { relay, integration, input: claims });
    return { token: new Secret(reply.auth_token), refreshToken: new Secret(reply.refresh_token ?? '') };
  }
}

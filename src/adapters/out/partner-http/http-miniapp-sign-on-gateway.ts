import type { Relay } from '../../../domain/exchanges/exchange';
import type { Integration } from '../../../domain/partners/integration';
import { Secret } from '../../../domain/shared/secret';
import type { MiniappSignOnGateway } from '../../../domain/sso/ports';
import type { TokenPair } from '../../../domain/sso/tokens';
import type { UserData } from '../../../domain/sso/user-data';
import { getAuthToken } from './miniapp-calls';
import type { PartnerHttpClient } from './partner-http-client';

/** A miniapp's back end over HTTP. */
export class HttpMiniappSignOnGateway implements MiniappSignOnGateway {
  constructor(private readonly client: PartnerHttpClient) {}

  async authToken(relay: Relay, integration: Integration, user: UserData): Promise<TokenPair> {
    const reply = await this.client.send(getAuthToken, { relay, integration, input: user });
    return { token: new Secret(reply.auth_token), refreshToken: new Secret(reply.refresh_token ?? '') };
  }
}

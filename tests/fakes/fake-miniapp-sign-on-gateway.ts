import type { Relay } from '../../src/domain/exchanges/exchange';
import type { Integration } from '../../src/domain/partners/integrations/integration';
import { Secret } from '../../src/domain/shared/secret';
import type { JsonObject } from '../../src/domain/shared/json';
import type { MiniappLoginGateway, MiniappSignOnGateway } from '../../src/domain/sso/ports';
import type { TokenPair } from '../../src/domain/sso/tokens';
import type { UserData } from '../../src/domain/sso/user-data';
import { MiniappRecords } from '../support/sso/sign-on-records';
import { PartnerMood } from './partner-mood';

/** A miniapp that opens a session for whoever is sent to it, and misbehaves on request. */
export class FakeMiniappSignOnGateway extends PartnerMood implements MiniappSignOnGateway, MiniappLoginGateway {
  private readonly records = new MiniappRecords();

  get receivedUsers(): readonly UserData[] {
    return this.records.receivedUsers;
  }

  get loggedIn(): readonly JsonObject[] {
    return this.records.loggedIn;
  }

  givesNoRefreshToken(): void {
    this.records.givesNoRefreshToken();
  }

  async authToken(_relay: Relay, _integration: Integration, user: UserData): Promise<TokenPair> {
    this.failIfSet({ side: 'miniapp', step: 'miniapp_token' });
    const { token, refreshToken } = this.records.open(user);
    return { token: new Secret(token), refreshToken: new Secret(refreshToken ?? '') };
  }

  async login(_relay: Relay, _integration: Integration, claims: JsonObject): Promise<TokenPair> {
    this.failIfSet({ side: 'miniapp', step: 'miniapp_token' });
    const { token, refreshToken } = this.records.logIn(claims);
    return { token: new Secret(token), refreshToken: new Secret(refreshToken ?? '') };
  }
}

import type { Relay } from '../../src/domain/exchanges/exchange';
import type { Integration } from '../../src/domain/partners/integration';
import { Secret } from '../../src/domain/shared/secret';
import type { JsonObject } from '../../src/domain/shared/json';
import type { MiniappLoginGateway, MiniappSignOnGateway } from '../../src/domain/sso/ports';
import type { TokenPair } from '../../src/domain/sso/tokens';
import type { UserData } from '../../src/domain/sso/user-data';
import { MiniappBooks } from '../support/sign-on-books';
import { PartnerMood } from './partner-mood';

/** A miniapp that opens a session for whoever is sent to it, and misbehaves on request. */
export class FakeMiniappSignOnGateway extends PartnerMood implements MiniappSignOnGateway, MiniappLoginGateway {
  private readonly books = new MiniappBooks();

  get asked(): readonly UserData[] {
    return this.books.asked;
  }

  get loggedIn(): readonly JsonObject[] {
    return this.books.loggedIn;
  }

  givesNoRefreshToken(): void {
    this.books.givesNoRefreshToken();
  }

  async authToken(_relay: Relay, _integration: Integration, user: UserData): Promise<TokenPair> {
    this.failIfTold({ side: 'miniapp', step: 'miniapp_token' });
    const { token, refreshToken } = this.books.open(user);
    return { token: new Secret(token), refreshToken: new Secret(refreshToken ?? '') };
  }

  async login(_relay: Relay, _integration: Integration, facts: JsonObject): Promise<TokenPair> {
    this.failIfTold({ side: 'miniapp', step: 'miniapp_token' });
    const { token, refreshToken } = this.books.logIn(facts);
    return { token: new Secret(token), refreshToken: new Secret(refreshToken ?? '') };
  }
}

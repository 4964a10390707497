import type { Relay } from '../../src/domain/exchanges/exchange';
import type { Integration } from '../../src/domain/partners/integrations/integration';
import { PartnerRefused, UserTokenRejected, type PartnerLeg } from '../../src/domain/partners/partner-errors';
import { Secret } from '../../src/domain/shared/secret';
import type { HostAppSignOnGateway } from '../../src/domain/sso/ports';
import type { UserTokens } from '../../src/domain/sso/tokens';
import type { UserData } from '../../src/domain/sso/user-data';
import { HostAppRecords } from '../support/sso/sign-on-records';
import { PartnerMood } from './partner-mood';

const step = (name: 'exchange' | 'refresh' | 'user_data'): PartnerLeg => ({ side: 'hostapp', step: name });

/** A host app that keeps its own records and misbehaves on request. */
export class FakeHostAppSignOnGateway extends PartnerMood implements HostAppSignOnGateway {
  private readonly records = new HostAppRecords();

  knows(code: string, user: UserData): void {
    this.records.knows(code, user);
  }

  rejectTokens(times: number): void {
    this.records.rejectTokens(times);
  }

  givesNoRefreshToken(): void {
    this.records.givesNoRefreshToken();
  }

  get exchanged(): readonly string[] {
    return this.records.exchanged;
  }

  get refreshes(): number {
    return this.records.refreshes;
  }

  get lastAccessToken(): string {
    return this.records.lastAccessToken;
  }

  async exchangeCode(_relay: Relay, _integration: Integration, authCode: Secret): Promise<UserTokens> {
    this.failIfSet(step('exchange'));
    return tokensOf(this.records.exchange(authCode.reveal()), step('exchange'), 'INVALID_AUTH_CODE');
  }

  async refresh(_relay: Relay, _integration: Integration, refreshToken: Secret): Promise<UserTokens> {
    this.failIfSet(step('refresh'));
    return tokensOf(this.records.refresh(refreshToken.reveal()), step('refresh'), 'INVALID_REFRESH_TOKEN');
  }

  async userData(_relay: Relay, _integration: Integration, accessToken: Secret): Promise<UserData> {
    this.failIfSet(step('user_data'));
    const user = this.records.user(accessToken.reveal());
    if (!user) throw new UserTokenRejected(step('user_data'), 'EXPIRED_ACCESS_TOKEN', 'The access token has expired');
    return user;
  }
}

function tokensOf(issued: ReturnType<HostAppRecords['exchange']>, leg: PartnerLeg, code: string): UserTokens {
  if (!issued) throw new PartnerRefused(leg, code, code);
  const { accessToken, refreshToken } = issued;
  return { accessToken: new Secret(accessToken), refreshToken: refreshToken === undefined ? undefined : new Secret(refreshToken) };
}

import type { HostAppSettings } from '../../../src/domain/partners/host-app';
import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { DomainError } from '../../../src/domain/shared/errors';
import { Secret } from '../../../src/domain/shared/secret';
import type { TokenPair, UserTokens } from '../../../src/domain/sso/tokens';
import type { UserData } from '../../../src/domain/sso/user-data';
import { aRelay } from '../a-relay';
import { partnerHttp, clock } from '../partners/partner-http';
import { aMiniapp, anIntegration } from '../partners/partners';
import { reachableHostApp } from '../partners/reachable-partners';
import { StubHostApp, StubMiniapp } from '../partners/stub-sign-on';

/** Both gateways of sign-on over HTTP, between two stubs, with one call of each kind ready. */
export class SignOnOverHttp {
  readonly hostApp = new StubHostApp();
  readonly miniapp = new StubMiniapp();
  readonly partners = partnerHttp();

  async start(): Promise<this> {
    await Promise.all([this.hostApp.start(), this.miniapp.start()]);
    return this;
  }

  async stop(): Promise<void> {
    this.partners.close();
    await Promise.all([this.hostApp.stop(), this.miniapp.stop()]);
  }

  pair(settings: Partial<HostAppSettings> = {}): Integration {
    const miniapp = aMiniapp({ endpoints: this.miniapp.endpoints });
    return anIntegration({ hostApp: reachableHostApp({ endpoints: this.hostApp.endpoints, ...settings }), miniapp });
  }

  exchange(integration = this.pair(), relay = aRelay(clock)): Promise<UserTokens> {
    return this.partners.hostAppSignOn.exchangeCode(relay, integration, new Secret('code-1'));
  }

  refresh(integration = this.pair(), refreshToken = 'refresh-1'): Promise<UserTokens> {
    return this.partners.hostAppSignOn.refresh(aRelay(clock), integration, new Secret(refreshToken));
  }

  userData(integration = this.pair(), token = 'user-token', relay = aRelay(clock)): Promise<UserData> {
    return this.partners.hostAppSignOn.userData(relay, integration, new Secret(token), 1);
  }

  authToken(integration = this.pair(), relay = aRelay(clock)): Promise<TokenPair> {
    return this.partners.miniappSignOn.authToken(relay, integration, { reference: 'r' });
  }
}

/** How a call failed; fails where it did not, or not with an error of the domain. */
export async function failureOf(attempt: Promise<unknown>): Promise<DomainError> {
  const error: unknown = await attempt.then(
    () => new Error('It did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw error;
}

export const basicValueOf = (user: string, secret: string): string => Buffer.from(`${user}:${secret}`).toString('base64');

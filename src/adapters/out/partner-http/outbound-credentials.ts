import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import type { PartnerLeg } from '../../../domain/partners/partner-errors';
import { refusal } from '../../../domain/shared/errors';
import { basicValue, hostAppBasic } from './basic-credentials';
import type { ClientAccessTokens } from './client-access-tokens';
import type { Sending } from './partner-call';

/** What proves us to a partner on one request. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  /** Gives up what the partner does not take, so that the next proof is a new one; absent: there would be no other. */
  readonly renew?: () => Promise<void>;
}

/**
 * Chooses the credentials of a call (decisions §3): the user access token where the call has one, the client access token
 * where the host app has that set up, else Basic. Throws MISSING_REQUEST_SIGNATURE_SETTINGS where the receiver wants
 * signatures, which are made here, beside each of these, or nowhere.
 */
export class OutboundCredentials {
  constructor(private readonly clientTokens: ClientAccessTokens) {}

  async prove({ side, step }: PartnerLeg, sending: Sending<unknown>): Promise<Proof> {
    const { hostApp, miniapp } = sending.integration;
    const receiver = side === 'hostapp' ? hostApp : miniapp;
    if (receiver.settings.signature.enabled) throw refusal('invalid', 'MISSING_REQUEST_SIGNATURE_SETTINGS', { side, step });
    if (side === 'miniapp') return byAuthorization(`Basic ${miniappBasic(miniapp)}`);
    if (sending.userToken) return byAuthorization(`${hostApp.settings.accessTokenPrefix} ${sending.userToken.reveal()}`);
    const url = hostApp.settings.endpoints.clientAccessToken;
    if (url !== undefined) return this.byClientToken(sending, hostApp, url);
    return byAuthorization(`${hostApp.settings.credentialScheme} ${hostAppBasic(hostApp, step)}`);
  }

  private async byClientToken({ relay }: Sending<unknown>, hostApp: HostApp, url: string): Promise<Proof> {
    const token = await this.clientTokens.token(relay, hostApp, url);
    return { ...byAuthorization(token.authorization), renew: () => this.clientTokens.drop(hostApp, url, token) };
  }
}

const byAuthorization = (value: string): Proof => ({ headers: { Authorization: value } });

function miniappBasic({ id, credentials }: Miniapp): string {
  const secret = credentials.secret_key?.current?.secret;
  if (!secret) throw refusal('invalid', 'MINIAPP_INTEGRATION_NOT_SET', { side: 'miniapp', setting: 'secret_key' });
  return basicValue(id, secret.reveal());
}

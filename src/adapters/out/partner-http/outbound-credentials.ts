import type { CredentialUseLog, SigningProvider } from '../../../domain/credentials/ports';
import type { OutboundRequest, SignRequest } from '../../../domain/credentials/signing/sign-request';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import type { PartnerLeg } from '../../../domain/partners/partner-errors';
import { DomainError, refusal } from '../../../domain/shared/errors';
import { basicValue, hostAppBasic } from './basic-credentials';
import type { ClientAccessTokens } from './sso/client-access-tokens';
import { receiverOf, type Sending } from './partner-call';
import { webhookSignature } from './deliveries/webhook-signature';

/** The credentials of one request to a partner. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  /** Drops credentials that the partner refused, so that the next call gets new ones. Absent: there are no others. */
  readonly renew?: () => Promise<void>;
}

interface Deps {
  readonly clientTokens: ClientAccessTokens;
  readonly signRequest: SignRequest;
  readonly hmac: SigningProvider;
  readonly uses: CredentialUseLog;
}

/**
 * Chooses the credentials of a call (contract/authentication#calls-to-partners). `Authorization` holds the user access token if the call
 * has one, else the client access token if the host app uses them, else Basic, unless the receiver wants signatures. Signatures are part of
 * every call to such a receiver. Deliveries also get a signature after Standard Webhooks if that is enabled. Throws
 * MISSING_REQUEST_SIGNATURE_SETTINGS when a signature cannot be made.
 */
export class OutboundCredentials {
  constructor(private readonly deps: Deps) {}

  async prove(leg: PartnerLeg, sending: Sending<unknown>, request: OutboundRequest): Promise<Proof> {
    const receiver = receiverOf(leg, sending.integration);
    const { enabled, webhookSignature: isWebhook } = receiver.settings.signature;
    const token = leg.side === 'hostapp' ? await this.token(sending) : undefined;
    const signed = enabled ? await this.signed(leg, sending, request) : undefined;
    const webhook = isWebhook ? await this.asWebhook(receiver, request) : undefined;
    if (!signed && !webhook) return token ?? { headers: this.basic(receiver, leg) };
    if (!signed) return { ...token, headers: { ...(token?.headers ?? this.basic(receiver, leg)), ...webhook } };
    const kept = token ? withoutAuthorization(signed) : signed;
    return { ...token, headers: { ...kept, ...token?.headers, ...webhook } };
  }

  private async token({ relay, integration: { hostApp }, userToken }: Sending<unknown>): Promise<Proof | undefined> {
    const { accessTokenPrefix, endpoints } = hostApp.settings;
    if (userToken) return { headers: { Authorization: `${accessTokenPrefix} ${userToken.reveal()}` } };
    const url = endpoints.clientAccessToken;
    if (url === undefined) return undefined;
    const token = await this.deps.clientTokens.token(relay, hostApp, url);
    return { headers: { Authorization: token.authorization }, renew: () => this.deps.clientTokens.drop(hostApp, url, token) };
  }

  private signed(leg: PartnerLeg, { integration }: Sending<unknown>, request: OutboundRequest): Promise<Proof['headers']> {
    const receiver = receiverOf(leg, integration);
    const { merchantId } = integration.settings;
    return this.deps.signRequest.execute({ receiver, merchantId, request }).catch((error: unknown) => {
      throw atStep(error, leg);
    });
  }

  private basic(receiver: HostApp | Miniapp, { step }: PartnerLeg): Proof['headers'] {
    const isHostApp = receiver.kind === 'host-app';
    const scheme = isHostApp ? receiver.settings.credentialScheme : 'Basic';
    const authorization = `${scheme} ${isHostApp ? hostAppBasic(receiver, step) : miniappBasic(receiver)}`;
    this.used(receiver, isHostApp ? 'host_app_secret_key' : 'secret_key');
    return { Authorization: authorization };
  }

  private async asWebhook(receiver: HostApp | Miniapp, { headers, body }: OutboundRequest): Promise<Record<string, string>> {
    const signature = await webhookSignature(receiver, headers, body, this.deps.hmac);
    if (Object.keys(signature).length > 0) this.used(receiver, 'hmac_secret');
    return signature;
  }

  private used(receiver: HostApp | Miniapp, kind: 'host_app_secret_key' | 'secret_key' | 'hmac_secret'): void {
    const value = receiver.credentials[kind]?.current;
    if (value) this.deps.uses.used({ partner: receiver.kind, id: receiver.id, kind, value });
  }
}

/** If the signature would be in Authorization, the token replaces it. */
const withoutAuthorization = (signed: Proof['headers']): Proof['headers'] =>
  Object.fromEntries(Object.entries(signed).filter(([name]) => name.toLowerCase() !== 'authorization'));

function miniappBasic({ id, credentials }: Miniapp): string {
  const secret = credentials.secret_key?.current?.secret;
  if (!secret) throw refusal('invalid', 'MINIAPP_INTEGRATION_NOT_SET', { side: 'miniapp', setting: 'secret_key' });
  return basicValue(id, secret.reveal());
}

/** Adds the side and step of the leg to the error. */
const atStep = (error: unknown, { side, step }: PartnerLeg): unknown =>
  error instanceof DomainError ? new DomainError(error.kind, error.code, error.message, { ...error.details, side, step }) : error;

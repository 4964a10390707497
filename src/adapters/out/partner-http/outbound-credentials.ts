import type { CredentialUses, SigningProvider } from '../../../domain/credentials/ports';
import type { OutboundRequest, SignRequest } from '../../../domain/credentials/sign-request';
import type { HostApp } from '../../../domain/partners/host-app';
import type { Miniapp } from '../../../domain/partners/miniapp';
import type { PartnerLeg } from '../../../domain/partners/partner-errors';
import { DomainError, refusal } from '../../../domain/shared/errors';
import { basicValue, hostAppBasic } from './basic-credentials';
import type { ClientAccessTokens } from './client-access-tokens';
import type { Sending } from './partner-call';
import { webhookSignature } from './webhook-signature';

type Receiver = HostApp | Miniapp;

/** What proves us to a partner on one request. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  /** Gives up what the partner does not take, so that the next proof is a new one; absent: there would be no other. */
  readonly renew?: () => Promise<void>;
}

interface Deps {
  readonly clientTokens: ClientAccessTokens;
  readonly signRequest: SignRequest;
  readonly hmac: SigningProvider;
  readonly uses: CredentialUses;
}

/**
 * Chooses the credentials of a call (decisions §3): in `Authorization` the user access token where the call has one, the
 * client access token where the host app has that set up, else Basic, unless the receiver wants signatures; those go with
 * every call to it; beside them, on deliveries, the signature after Standard Webhooks where that is on. Throws MISSING_REQUEST_SIGNATURE_SETTINGS where they cannot be made.
 */
export class OutboundCredentials {
  /** By record: a change of the receiver makes a new one. */
  private readonly basics = new WeakMap<Receiver, Proof>();

  constructor(private readonly deps: Deps) {}

  prove(leg: PartnerLeg, sending: Sending<unknown>, request: OutboundRequest): Proof | Promise<Proof> {
    const { hostApp, miniapp } = sending.integration;
    const receiver = leg.side === 'hostapp' ? hostApp : miniapp;
    const proof = this.specified(leg, sending, { receiver, request });
    return receiver.settings.signature.webhookSignature ? this.withWebhookSignature(proof, receiver, request) : proof;
  }

  private async withWebhookSignature(proof: Proof | Promise<Proof>, receiver: Receiver, request: OutboundRequest): Promise<Proof> {
    const specified = await proof;
    return { ...specified, headers: { ...specified.headers, ...(await this.asWebhook(receiver, request)) } };
  }

  private async asWebhook(receiver: Receiver, { headers, body }: OutboundRequest): Promise<Record<string, string>> {
    const signature = await webhookSignature(receiver, headers, body, this.deps.hmac);
    const value = receiver.credentials.hmac_secret?.current;
    const isSigned = Object.keys(signature).length > 0;
    if (value && isSigned) this.deps.uses.used({ partner: receiver.kind, id: receiver.id, kind: 'hmac_secret', value });
    return signature;
  }

  private specified(
    leg: PartnerLeg,
    sending: Sending<unknown>,
    to: { receiver: Receiver; request: OutboundRequest },
  ): Proof | Promise<Proof> {
    const authorization = this.authorization(leg, sending);
    if (to.receiver.settings.signature.enabled) return this.signed(leg, sending, { authorization, ...to });
    return authorization ?? this.basic(to.receiver, leg);
  }

  private async signed(
    leg: PartnerLeg,
    { integration: { settings } }: Sending<unknown>,
    to: { receiver: Receiver; request: OutboundRequest; authorization: Proof | Promise<Proof> | undefined },
  ): Promise<Proof> {
    const { receiver, request } = to;
    const authorization = await to.authorization;
    const signed = await this.deps.signRequest.execute({ receiver, merchantId: settings.merchantId, request }).catch((error: unknown) => {
      throw atStep(error, leg);
    });
    if (!authorization) return { headers: signed };
    // Where the signature would stand in Authorization, the token takes its place.
    const beside = Object.entries(signed).filter(([name]) => name.toLowerCase() !== 'authorization');
    return { ...authorization, headers: { ...Object.fromEntries(beside), ...authorization.headers } };
  }

  private authorization({ side }: PartnerLeg, sending: Sending<unknown>): Proof | Promise<Proof> | undefined {
    const { hostApp } = sending.integration;
    if (side === 'miniapp') return undefined;
    if (sending.userToken) return byAuthorization(`${hostApp.settings.accessTokenPrefix} ${sending.userToken.reveal()}`);
    const url = hostApp.settings.endpoints.clientAccessToken;
    return url === undefined ? undefined : this.byClientToken(sending, hostApp, url);
  }

  private basic(receiver: Receiver, { step }: PartnerLeg): Proof {
    const kind = receiver.kind === 'host-app' ? 'host_app_secret_key' : 'secret_key';
    const value = receiver.credentials[kind]?.current;
    let proof = this.basics.get(receiver);
    if (!proof) {
      proof = byAuthorization(
        receiver.kind === 'host-app'
          ? `${receiver.settings.credentialScheme} ${hostAppBasic(receiver, step)}`
          : `Basic ${miniappBasic(receiver)}`,
      );
      this.basics.set(receiver, proof);
    }
    if (value) this.deps.uses.used({ partner: receiver.kind, id: receiver.id, kind, value });
    return proof;
  }

  private async byClientToken({ relay }: Sending<unknown>, hostApp: HostApp, url: string): Promise<Proof> {
    const token = await this.deps.clientTokens.token(relay, hostApp, url);
    return { ...byAuthorization(token.authorization), renew: () => this.deps.clientTokens.drop(hostApp, url, token) };
  }
}

const byAuthorization = (value: string): Proof => ({ headers: { Authorization: value } });

function miniappBasic({ id, credentials }: Miniapp): string {
  const secret = credentials.secret_key?.current?.secret;
  if (!secret) throw refusal('invalid', 'MINIAPP_INTEGRATION_NOT_SET', { side: 'miniapp', setting: 'secret_key' });
  return basicValue(id, secret.reveal());
}

/** What is missing is told with the leg that it was missing for. */
const atStep = (error: unknown, { side, step }: PartnerLeg): unknown =>
  error instanceof DomainError ? new DomainError(error.kind, error.code, error.message, { ...error.details, side, step }) : error;

import type { IncomingMessage } from 'node:http';
import { provesBasic } from './basic';
import type {
  ClientToken,
  OpenedPayment,
  PaymentRequest,
  ReceivedEvent,
  StatusAnswer,
  StatusRequest,
  UserData,
  UserTokens,
} from './bodies';
import { CallRefused } from './call-refused';
import {
  answerJson,
  PlatformServer,
  type BackEndSettings,
  type PlatformCall,
  type PlatformHandler,
  type PlatformRequest,
} from './platform-server';
import { rawBodyOf } from './raw-body';
import { headerIn } from './verify';

export interface HostAppSettings extends BackEndSettings {
  readonly clientId: string;
  /** Host-app client ID and Host-app secret key, with which the platform authenticates here. */
  readonly platform: { readonly id: string; readonly secret: string };
  /** The scheme word before the Basic value (`credential_scheme`). */
  readonly credentialScheme?: string;
  /** The scheme word before a user's access token (`access_token_prefix`). */
  readonly accessTokenPrefix?: string;
  /** Finds the user's reference for an access token; `undefined` for an invalid token. Needed for calls with users' tokens. */
  readonly userOfToken?: (token: string) => string | undefined | Promise<string | undefined>;
  /** Whether a client access token is valid. Needed where the platform fetches such tokens. */
  readonly isClientToken?: (token: string) => boolean | Promise<boolean>;
}

type Act<Body, Answer> = (body: Body, call: PlatformCall) => Answer | Promise<Answer>;

/** A host app's back end: request handlers for the URLs that are registered at the platform. */
export class HostAppBackEnd {
  private readonly server: PlatformServer;

  /** Throws TypeError where the agreed signature is incomplete. */
  constructor(private readonly settings: HostAppSettings) {
    this.server = new PlatformServer(settings, { header: 'X-Hostapp-Client-ID', id: settings.clientId });
  }

  /** Handles the Access token URL. */
  exchangeCode(act: Act<{ readonly auth_code: string }, UserTokens>): PlatformHandler {
    return this.server.take<{ auth_code: string }>({ admit: this.asPlatform, needs: { auth_code: 'string' } }, act);
  }

  /** Handles the Refresh token URL. */
  refreshTokens(act: Act<{ readonly refresh_token: string }, UserTokens>): PlatformHandler {
    return this.server.take<{ refresh_token: string }>({ admit: this.asPlatform, needs: { refresh_token: 'string' } }, act);
  }

  /** Handles the User data URL, a GET: returns the data of the token's user. Throws TypeError without `userOfToken`. */
  userData(act: (reference: string, call: PlatformCall) => UserData | Promise<UserData>): PlatformHandler {
    if (!this.settings.userOfToken) throw new TypeError('userData needs userOfToken');
    return this.server.take({ admit: this.asUser, bodiless: true }, async (_body, call) => ({
      user_data: await act(call.userReference ?? '', call),
    }));
  }

  /** Handles the Create order payment URL. A repeated `call.idempotencyKey` must return the same payment. */
  createPayment(act: Act<PaymentRequest, OpenedPayment>): PlatformHandler {
    return this.server.take<PaymentRequest>({ admit: this.asEither, needs: { order: 'object' } }, act);
  }

  /** Handles the Get order payment status URL. */
  paymentStatus(act: Act<StatusRequest, StatusAnswer>): PlatformHandler {
    return this.server.take<StatusRequest>({ admit: this.asEither, needs: { order_payment_id: 'string' } }, act);
  }

  /** Handles the Events bridge URL: an event of a miniapp. Returns the host app's answer. */
  event(act: Act<ReceivedEvent, unknown>): PlatformHandler {
    return this.server.take<ReceivedEvent>({ admit: this.asPlatform, needs: { event_type: 'string', payload: 'object' } }, act);
  }

  /** Handles the Client access token URL (RFC 6749 §4.4). The platform always calls it with Basic. */
  clientToken(act: (scope: string | undefined) => ClientToken | Promise<ClientToken>): PlatformHandler {
    return (request, response, next) => {
      this.newClientToken(request, act).then(
        ({ status, body }) => answerJson(response, status, body),
        (error: unknown) => {
          this.settings.onError?.(error);
          if (next) next(error);
          else answerJson(response, 500, { error: 'server_error' });
        },
      );
    };
  }

  private async newClientToken(request: PlatformRequest, act: (scope: string | undefined) => ClientToken | Promise<ClientToken>) {
    if (!provesBasic(authorizationOf(request), this.settings.platform)) return { status: 401, body: { error: 'invalid_client' } };
    const form = new URLSearchParams(Buffer.from(await rawBodyOf(request)).toString('utf8'));
    if (form.get('grant_type') !== 'client_credentials') return { status: 400, body: { error: 'unsupported_grant_type' } };
    return { status: 200, body: { token_type: 'Bearer', ...(await act(form.get('scope') ?? undefined)) } };
  }

  /** Authenticates the platform by its signature, else by a client access token, else by Basic. */
  private readonly asPlatform = async (request: PlatformRequest): Promise<undefined> => {
    if ((await this.server.proveSignature(request)) || (await this.provesItself(request))) return;
    throw denied('ACCESS_DENIED', 'The credentials are missing or wrong');
  };

  /** Authenticates a user's token, and the signature where one is agreed on. */
  private readonly asUser = async (request: PlatformRequest): Promise<string> => {
    await this.server.proveSignature(request);
    return this.requireUser(request);
  };

  /** Authenticates the platform itself or, where X-User-ID names a user, that user's token. */
  private readonly asEither = async (request: PlatformRequest): Promise<string | undefined> => {
    const isSigned = await this.server.proveSignature(request);
    const named = headerIn(request.rawHeaders, 'X-User-ID');
    if (named === undefined) {
      if (isSigned || (await this.provesItself(request))) return undefined;
      throw denied('ACCESS_DENIED', 'The credentials are missing or wrong');
    }
    if (named === (await this.requireUser(request))) return named;
    throw new CallRefused('HOSTAPP_USER_NOT_FOUND', 'X-User-ID is not of this token');
  };

  private async provesItself(request: PlatformRequest): Promise<boolean> {
    const authorization = authorizationOf(request);
    const [, token] = /^Bearer (\S+)$/.exec(authorization ?? '') ?? [];
    if (token !== undefined && (await this.settings.isClientToken?.(token))) return true;
    return provesBasic(authorization, this.settings.platform, this.settings.credentialScheme);
  }

  /** Answers 401 for an invalid token: the platform then refreshes the token and calls once more. */
  private async requireUser(request: PlatformRequest): Promise<string> {
    const token = this.userToken(request);
    const reference = token === undefined ? undefined : await this.settings.userOfToken?.(token);
    if (reference === undefined) throw denied('INVALID_ACCESS_TOKEN', 'The access token is not valid');
    return reference;
  }

  private userToken(request: PlatformRequest): string | undefined {
    const prefix = `${this.settings.accessTokenPrefix ?? 'Token'} `;
    const authorization = authorizationOf(request);
    return authorization?.startsWith(prefix) ? authorization.slice(prefix.length) : undefined;
  }
}

const authorizationOf = (request: IncomingMessage): string | undefined => headerIn(request.rawHeaders, 'Authorization');

const denied = (code: string, message: string): CallRefused => new CallRefused(code, message, { status: 401 });

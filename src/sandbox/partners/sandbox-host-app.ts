import express, { type Express, type Request, type RequestHandler } from 'express';
import { ReceivedCallLog, type ReceivedCall } from './received-call-log';
import type { ReportsTo } from './completion-calls';
import { HostAppTokens } from './host-app-tokens';
import { Inbox, type Received } from './inbox';
import { openServer, type OpenServer, type ListenAddress } from '../open-server';
import { PageSlot } from '../playground/page-slot';
import { PaymentSimulator } from './payment-simulator';
import { provesBasic, requireIdHeaders, type PlatformCredentials } from '../signing/platform-proof';
import { bodyOf, memberOf, parsedBody, rawBody, readBody, requireOwnId, textOf } from '../read-body';
import { answerRefusal, noSuchPath, Refusal } from './refusal';
import { SandboxControls } from './sandbox-controls';
import { machineTime, type SandboxTime } from '../clock/sandbox-time';
import { findUser } from './sandbox-users';
import { SignatureProof } from '../signing/signature-proof';

/** Paths of the sandbox host app's back end, by the setting for their URL. */
export const hostAppPaths = {
  access_token_url: '/oauth/token',
  refresh_token_url: '/oauth/refresh',
  user_data_url: '/user',
  create_order_payment_url: '/payments',
  get_order_payment_status_url: '/payments/status',
  events_bridge_url: '/events',
} as const;

/** Path of the Client access token URL. It is available but not set up, as Basic is the default. */
export const clientTokenPath = '/oauth/client-token';

/** A simulated host app back end: the partner side of the contract, with checks as strict as a real partner's. */
export class SandboxHostApp {
  readonly page = new PageSlot();
  readonly clock = new PageSlot();
  private readonly receivedCalls = new ReceivedCallLog();
  private readonly inbox = new Inbox();
  private readonly controls = new SandboxControls([this.receivedCalls, this.inbox]);
  private readonly tokens: HostAppTokens;
  private readonly fixture: PaymentSimulator;
  private trusted: PlatformCredentials | undefined;
  private signed: SignatureProof | undefined;
  private url = '';

  constructor(time: SandboxTime = machineTime) {
    this.tokens = new HostAppTokens(() => time.now());
    this.fixture = new PaymentSimulator(time);
  }

  async start(address: ListenAddress): Promise<OpenServer> {
    const server = await openServer(this.application(), address);
    this.url = server.url;
    return {
      url: server.url,
      close: () => {
        this.fixture.close();
        return server.close();
      },
    };
  }

  /** Sets the service's credentials. Without them it refuses the service with 401. */
  trust(credentials: PlatformCredentials): void {
    this.trusted = credentials;
    this.signed = credentials.signature && new SignatureProof(credentials.signature, { now: () => Date.now(), url: () => this.url });
  }

  /** Sets the address and the credentials for reports of payment results. */
  reportTo(reportsTo: ReportsTo): void {
    this.fixture.reportTo(reportsTo);
  }

  /** Issues a new single-use auth code, or an expired one. Throws INVALID_INPUT for an unknown user. */
  issueCode(reference: unknown, { expired = false } = {}): string {
    const user = findUser(reference);
    if (!user) throw new Refusal(400, 'INVALID_INPUT', 'reference: no user of the sandbox has it');
    return this.tokens.issueCode(user, expired ? 0 : undefined);
  }

  calls(): readonly ReceivedCall[] {
    return this.receivedCalls.calls();
  }

  events(): readonly Received[] {
    return this.inbox.received();
  }

  private application(): Express {
    const app = express();
    app.disable('x-powered-by');
    app.use(this.page.serve, this.clock.serve);
    this.ownRoutes(app);
    app.use(this.receivedCalls.record, this.controls.faults);
    app.post(clientTokenPath, express.urlencoded({ extended: false }), this.giveClientToken);
    app.get(hostAppPaths.user_data_url, this.addressed, this.asSigner, (request, response) => {
      response.json({ user_data: this.tokens.userOf(userToken(request)) });
    });
    const platform = [rawBody, this.addressed, this.asSigner, this.asPlatform, parsedBody];
    const payment = [rawBody, this.addressed, this.asSigner, this.asPlatformOrUser, parsedBody];
    app.post(hostAppPaths.access_token_url, platform, this.exchangeCode);
    app.post(hostAppPaths.refresh_token_url, platform, this.refreshTokens);
    app.post(hostAppPaths.create_order_payment_url, payment, this.fixture.create);
    app.post(hostAppPaths.get_order_payment_status_url, payment, this.fixture.status);
    app.post(hostAppPaths.events_bridge_url, platform, this.takeEvent);
    app.use(noSuchPath, answerRefusal);
    return app;
  }

  /** Routes that a real partner does not have: received calls for inspection, and actions of its users. */
  private ownRoutes(app: Express): void {
    app.get('/sandbox/calls', this.receivedCalls.show);
    app.get('/sandbox/events', this.inbox.show);
    app.get('/sandbox/payments', this.fixture.list);
    app.get('/sandbox/payments/:id', this.fixture.show);
    app.post('/sandbox/payments/:id/pay', this.fixture.pay);
    app.post('/sandbox/payments/:id/cancel', this.fixture.cancel);
    app.post('/sandbox/codes', ...readBody, this.giveCode);
    app.use('/sandbox', this.controls.routes, noSuchPath);
  }

  /** Answers `Accept: text/plain` with the bare code, so that a shell can use it in the next call. */
  private readonly giveCode: RequestHandler = (request, response) => {
    const code = this.issueCode(textOf(request, 'reference'), { expired: bodyOf(request).get('expired') === true });
    if (request.accepts(['json', 'text']) === 'text') response.type('text').send(code);
    else response.json({ auth_code: code });
  };

  /** RFC 6749 §4.4; refusals have the form of its §5.2. */
  private readonly giveClientToken: RequestHandler = (request, response) => {
    if (!this.trusted || !provesBasic(request, this.trusted)) {
      response.status(401).set('WWW-Authenticate', 'Basic').json({ error: 'invalid_client' });
      return;
    }
    const form: unknown = request.body;
    if (memberOf(form, 'grant_type') !== 'client_credentials') response.status(400).json({ error: 'unsupported_grant_type' });
    else response.set('Cache-Control', 'no-store').json(this.tokens.issueClientToken());
  };

  private readonly exchangeCode: RequestHandler = (request, response) => {
    response.json(this.tokens.exchange(textOf(request, 'auth_code')));
  };

  private readonly refreshTokens: RequestHandler = (request, response) => {
    response.json(this.tokens.refresh(textOf(request, 'refresh_token')));
  };

  private readonly takeEvent: RequestHandler = (request, response) => {
    requireOwnId(request, 'client_id', this.trusted?.ownId ?? '');
    const received = textOf(request, 'event_type');
    this.inbox.take(request);
    response.json({ received });
  };

  /** Requires both id headers, and our own id in the host app's. */
  private readonly addressed: RequestHandler = (request, _response, next) => {
    if (!this.trusted) throw new Refusal(401, 'ACCESS_DENIED', 'The sandbox host app is not set up yet');
    requireIdHeaders(request, 'X-Hostapp-Client-ID', this.trusted.ownId);
    next();
  };

  /** When signing is agreed on, every call must be signed, whatever token it carries. */
  private readonly asSigner: RequestHandler = (request, _response, next) => {
    this.signed?.require(request);
    next();
  };

  /** Requires the service itself: its signature, Basic, or a client access token issued here. */
  private readonly asPlatform: RequestHandler = (request, _response, next) => {
    if (!this.isPlatform(request)) throw new Refusal(401, 'ACCESS_DENIED', 'The credentials are missing or wrong');
    next();
  };

  /** Requires the service itself, or a token of the user in X-User-ID. */
  private readonly asPlatformOrUser: RequestHandler = (request, _response, next) => {
    // A user's token may accompany a signature.
    if (!this.isPlatform(request) || userToken(request) !== '') {
      const user = this.tokens.userOf(userToken(request));
      if (request.get('x-user-id') !== user.reference) throw new Refusal(400, 'HOSTAPP_USER_NOT_FOUND', 'X-User-ID is not of this token');
    }
    next();
  };

  private isPlatform(request: Request): boolean {
    if (this.signed) return true; // `asSigner` has let it through
    if (this.trusted && provesBasic(request, this.trusted)) return true;
    const [, token] = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '') ?? [];
    return token !== undefined && this.tokens.isClientToken(token);
  }
}

/** The token of `Authorization: Token …`, or an empty text. */
const userToken = (request: Request): string => /^Token (\S+)$/.exec(request.get('authorization') ?? '')?.[1] ?? '';

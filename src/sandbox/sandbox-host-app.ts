import express, { type Express, type Request, type RequestHandler } from 'express';
import { CallLedger, type ReceivedCall } from './call-ledger';
import type { ReportsTo } from './completion-calls';
import { HostAppTokens } from './host-app-tokens';
import { Inbox, type Received } from './inbox';
import { openDoor, type OpenDoor, type Place } from './open-door';
import { PageSlot } from './page-slot';
import { PaymentDesk } from './payment-desk';
import { provesBasic, requireIdHeaders, type PlatformCredentials } from './platform-proof';
import { bodyOf, memberOf, parsedBody, rawBody, readBody, requireOwnId, textOf } from './read-body';
import { answerRefusal, noSuchPath, Refusal } from './refusal';
import { SandboxControls } from './sandbox-controls';
import { machineTime, type SandboxTime } from './sandbox-time';
import { findUser } from './sandbox-users';
import { SignatureProof } from './signature-proof';

/** The paths of the sandbox host app's back end, by the setting that holds their URL. */
export const hostAppPaths = {
  access_token_url: '/oauth/token',
  refresh_token_url: '/oauth/refresh',
  user_data_url: '/user',
  create_order_payment_url: '/payments',
  get_order_payment_status_url: '/payments/status',
  events_bridge_url: '/events',
} as const;

/** The path of its Client access token URL: offered, and not part of the set-up, as Basic is the default. */
export const clientTokenPath = '/oauth/client-token';

/** A simulated host app back end: the partner side of the contract, with checks as strict as a real partner's. */
export class SandboxHostApp {
  readonly page = new PageSlot();
  readonly clock = new PageSlot();
  private readonly ledger = new CallLedger();
  private readonly inbox = new Inbox();
  private readonly controls = new SandboxControls([this.ledger, this.inbox]);
  private readonly tokens: HostAppTokens;
  private readonly desk: PaymentDesk;
  private trusted: PlatformCredentials | undefined;
  private signed: SignatureProof | undefined;
  private url = '';

  constructor(time: SandboxTime = machineTime) {
    this.tokens = new HostAppTokens(() => time.now());
    this.desk = new PaymentDesk(time);
  }

  async start(place: Place): Promise<OpenDoor> {
    const door = await openDoor(this.application(), place);
    this.url = door.url;
    return {
      url: door.url,
      close: () => {
        this.desk.close();
        return door.close();
      },
    };
  }

  /** Without a trusted key it refuses the service with 401. */
  trust(credentials: PlatformCredentials): void {
    this.trusted = credentials;
    this.signed = credentials.signature && new SignatureProof(credentials.signature, { now: () => Date.now(), url: () => this.url });
  }

  /** Where and as whom it reports how payments ended. */
  reportTo(reportsTo: ReportsTo): void {
    this.desk.reportTo(reportsTo);
  }

  /** A new single-use auth code, or one that has expired. Throws INVALID_INPUT where no such user lives here. */
  issueCode(reference: unknown, { expired = false } = {}): string {
    const user = findUser(reference);
    if (!user) throw new Refusal(400, 'INVALID_INPUT', 'reference: no user of the sandbox has it');
    return this.tokens.issueCode(user, expired ? 0 : undefined);
  }

  calls(): readonly ReceivedCall[] {
    return this.ledger.calls();
  }

  /** The events that it received. */
  events(): readonly Received[] {
    return this.inbox.received();
  }

  private application(): Express {
    const app = express();
    app.disable('x-powered-by');
    app.use(this.page.serve, this.clock.serve);
    this.ownRoutes(app);
    app.use(this.ledger.record, this.controls.faults);
    app.post(clientTokenPath, express.urlencoded({ extended: false }), this.giveClientToken);
    app.get(hostAppPaths.user_data_url, this.addressed, this.asSigner, (request, response) => {
      response.json({ user_data: this.tokens.userOf(userToken(request)) });
    });
    const platform = [rawBody, this.addressed, this.asSigner, this.asPlatform, parsedBody];
    const payment = [rawBody, this.addressed, this.asSigner, this.asPlatformOrUser, parsedBody];
    app.post(hostAppPaths.access_token_url, platform, this.exchangeCode);
    app.post(hostAppPaths.refresh_token_url, platform, this.refreshTokens);
    app.post(hostAppPaths.create_order_payment_url, payment, this.desk.create);
    app.post(hostAppPaths.get_order_payment_status_url, payment, this.desk.status);
    app.post(hostAppPaths.events_bridge_url, platform, this.takeEvent);
    app.use(noSuchPath, answerRefusal);
    return app;
  }

  /** What no real partner has: a look behind, and the hands of its users. */
  private ownRoutes(app: Express): void {
    app.get('/sandbox/calls', this.ledger.show);
    app.get('/sandbox/events', this.inbox.show);
    app.get('/sandbox/payments', this.desk.list);
    app.get('/sandbox/payments/:id', this.desk.show);
    app.post('/sandbox/payments/:id/pay', this.desk.pay);
    app.post('/sandbox/payments/:id/cancel', this.desk.cancel);
    app.post('/sandbox/codes', ...readBody, this.giveCode);
    app.use('/sandbox', this.controls.routes, noSuchPath);
  }

  /** Bare text for `Accept: text/plain`, so that a shell can put the code straight into its next call. */
  private readonly giveCode: RequestHandler = (request, response) => {
    const code = this.issueCode(textOf(request, 'reference'), { expired: bodyOf(request).get('expired') === true });
    if (request.accepts(['json', 'text']) === 'text') response.type('text').send(code);
    else response.json({ auth_code: code });
  };

  /** RFC 6749 §4.4; refusals in the form of its §5.2. */
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

  /** Both id headers are there, and the one of the host app is ours. */
  private readonly addressed: RequestHandler = (request, _response, next) => {
    if (!this.trusted) throw new Refusal(401, 'ACCESS_DENIED', 'The sandbox host app is not set up yet');
    requireIdHeaders(request, 'X-Hostapp-Client-ID', this.trusted.ownId);
    next();
  };

  /** Where signing is agreed on, every call is signed, whatever token it carries. */
  private readonly asSigner: RequestHandler = (request, _response, next) => {
    this.signed?.require(request);
    next();
  };

  /** The service as itself: its signature, Basic, or a client access token that it was given. */
  private readonly asPlatform: RequestHandler = (request, _response, next) => {
    if (!this.isPlatform(request)) throw new Refusal(401, 'ACCESS_DENIED', 'The credentials are missing or wrong');
    next();
  };

  /** The service as itself, or for a user whom X-User-ID names. */
  private readonly asPlatformOrUser: RequestHandler = (request, _response, next) => {
    // A token of a user stands beside a signature.
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

/** The token of `Authorization: Token …`, or text that is no token. */
const userToken = (request: Request): string => /^Token (\S+)$/.exec(request.get('authorization') ?? '')?.[1] ?? '';

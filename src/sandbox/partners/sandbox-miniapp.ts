import { randomBytes } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import { ReceivedCallLog, type ReceivedCall } from './received-call-log';
import { Inbox, type Received } from './inbox';
import { openServer, type OpenServer, type ListenAddress } from '../open-server';
import { OrderRecords } from './order-records';
import { PageSlot } from '../playground/page-slot';
import { provesBasic, requireIdHeaders, type PlatformCredentials } from '../signing/platform-proof';
import { bodyOf, parsedBody, rawBody, requireOwnId, textOf } from '../read-body';
import { answerRefusal, noSuchPath, Refusal } from './refusal';
import { SandboxControls } from './sandbox-controls';
import { SignatureProof } from '../signing/signature-proof';

/** Paths of the sandbox miniapp's back end, by the setting for their URL. */
export const miniappPaths = {
  get_auth_token_url: '/auth',
  webhook_url: '/webhook',
  events_bridge_url: '/events',
} as const;

const idHeader = 'X-Miniapp-App-ID';

/** Credentials for one App ID. */
interface Agreed {
  readonly credentials: PlatformCredentials;
  /** Absent when the service authenticates with Basic. */
  readonly signed: SignatureProof | undefined;
}

/** A simulated miniapp back end: the partner side of the contract, with checks as strict as a real partner's. */
export class SandboxMiniapp {
  readonly page = new PageSlot();
  private readonly receivedCalls = new ReceivedCallLog();
  private readonly completions = new Inbox();
  private readonly inbox = new Inbox();
  private readonly orders = new OrderRecords();
  private readonly controls = new SandboxControls([this.receivedCalls, this.completions, this.inbox, this.orders]);
  /** Keyed by App ID, because one back end may serve several miniapps. */
  private readonly agreed = new Map<string, Agreed>();
  private url = '';

  async start(address: ListenAddress): Promise<OpenServer> {
    const server = await openServer(this.application(), address);
    this.url = server.url;
    return server;
  }

  /** Sets the service's credentials for one App ID. Without them it refuses the service with 401. */
  trust(credentials: PlatformCredentials): void {
    const { ownId, signature } = credentials;
    const signed = signature && new SignatureProof(signature, { now: () => Date.now(), url: () => this.url });
    this.agreed.set(ownId, { credentials, signed });
  }

  calls(): readonly ReceivedCall[] {
    return this.receivedCalls.calls();
  }

  /** Completions that the webhook received, including repeats. */
  webhooks(): readonly Received[] {
    return this.completions.received();
  }

  events(): readonly Received[] {
    return this.inbox.received();
  }

  private application(): Express {
    const app = express();
    app.disable('x-powered-by');
    app.use(this.page.serve);
    app.get('/', (_request, response) => void response.type('text').send('The page of the simulated miniapp.\n'));
    app.get('/sandbox/calls', this.receivedCalls.show);
    app.get('/sandbox/webhooks', this.completions.show);
    app.get('/sandbox/events', this.inbox.show);
    app.get('/sandbox/orders/:id', this.orders.show);
    app.use('/sandbox', this.controls.routes);
    app.use(this.receivedCalls.record, this.controls.faults);
    const platform = [rawBody, this.asPlatform, parsedBody];
    app.post(miniappPaths.get_auth_token_url, platform, this.signOn);
    app.post(miniappPaths.webhook_url, platform, this.takeCompletion);
    app.post(miniappPaths.events_bridge_url, platform, this.takeEvent);
    app.use(noSuchPath, answerRefusal);
    return app;
  }

  /** Creates a session for any user with a reference or an email. */
  private readonly signOn: RequestHandler = (request, response) => {
    const [reference, email] = [bodyOf(request).get('reference') ?? undefined, bodyOf(request).get('email')];
    if (reference !== undefined || typeof email !== 'string') textOf(request, 'reference');
    response.json({ auth_token: freshToken('session'), refresh_token: freshToken('renew') });
  };

  /** The contract's webhook answers 200 to everything that it can read, even when it rejects it: any other answer would be repeated. */
  private readonly takeCompletion: RequestHandler = (request, response) => {
    this.completions.take(request);
    try {
      this.orders.complete(request);
      response.json({});
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response.json({ error_code: error.code, error_message: error.message });
    }
  };

  private readonly takeEvent: RequestHandler = (request, response) => {
    requireOwnId(request, 'app_id', request.get(idHeader) ?? '');
    const received = textOf(request, 'event_type');
    this.inbox.take(request);
    response.json({ received });
  };

  private readonly asPlatform: RequestHandler = (request, _response, next) => {
    // A caller with an unknown App ID must pass one miniapp's checks before the answer reveals that the id is unknown.
    const { credentials, signed } = this.agreed.get(request.get(idHeader) ?? '') ?? [...this.agreed.values()][0] ?? {};
    signed?.require(request);
    if (!credentials || (!signed && !provesBasic(request, credentials))) {
      throw new Refusal(401, 'ACCESS_DENIED', 'The credentials are missing or wrong');
    }
    requireIdHeaders(request, idHeader, credentials.ownId);
    next();
  };
}

const freshToken = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`;

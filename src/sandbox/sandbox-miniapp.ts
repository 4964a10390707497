import { randomBytes } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import { CallLedger, type ReceivedCall } from './call-ledger';
import { Inbox, type Received } from './inbox';
import { openDoor, type OpenDoor, type Place } from './open-door';
import { OrderBook } from './order-book';
import { PageSlot } from './page-slot';
import { provesBasic, requireIdHeaders, type PlatformCredentials } from './platform-proof';
import { bodyOf, parsedBody, rawBody, requireOwnId, textOf } from './read-body';
import { answerRefusal, noSuchPath, Refusal } from './refusal';
import { SandboxControls } from './sandbox-controls';
import { SignatureProof } from './signature-proof';

/** The paths of the sandbox miniapp's back end, by the setting that holds their URL. */
export const miniappPaths = {
  get_auth_token_url: '/auth',
  webhook_url: '/webhook',
  events_bridge_url: '/events',
} as const;

const idHeader = 'X-Miniapp-App-ID';

/** What holds for one App ID. */
interface Agreed {
  readonly credentials: PlatformCredentials;
  /** Absent: the service proves itself with Basic. */
  readonly signed: SignatureProof | undefined;
}

/** A simulated miniapp back end: the partner side of the contract, with checks as strict as a real partner's. */
export class SandboxMiniapp {
  readonly page = new PageSlot();
  private readonly ledger = new CallLedger();
  private readonly completions = new Inbox();
  private readonly inbox = new Inbox();
  private readonly orders = new OrderBook();
  private readonly controls = new SandboxControls([this.ledger, this.completions, this.inbox, this.orders]);
  /** By App ID: one back end may serve several miniapps. */
  private readonly agreed = new Map<string, Agreed>();
  private url = '';

  async start(place: Place): Promise<OpenDoor> {
    const door = await openDoor(this.application(), place);
    this.url = door.url;
    return door;
  }

  /** Takes what holds for one of its App IDs. Without a trusted key it refuses the service with 401. */
  trust(credentials: PlatformCredentials): void {
    const { ownId, signature } = credentials;
    const signed = signature && new SignatureProof(signature, { now: () => Date.now(), url: () => this.url });
    this.agreed.set(ownId, { credentials, signed });
  }

  calls(): readonly ReceivedCall[] {
    return this.ledger.calls();
  }

  /** The completions that its webhook received, each as often as it came. */
  webhooks(): readonly Received[] {
    return this.completions.received();
  }

  /** The events that it received. */
  events(): readonly Received[] {
    return this.inbox.received();
  }

  private application(): Express {
    const app = express();
    app.disable('x-powered-by');
    app.use(this.page.serve);
    app.get('/', (_request, response) => void response.type('text').send('The page of the simulated miniapp.\n'));
    app.get('/sandbox/calls', this.ledger.show);
    app.get('/sandbox/webhooks', this.completions.show);
    app.get('/sandbox/events', this.inbox.show);
    app.get('/sandbox/orders/:id', this.orders.show);
    app.use('/sandbox', this.controls.routes);
    app.use(this.ledger.record, this.controls.faults);
    const platform = [rawBody, this.asPlatform, parsedBody];
    app.post(miniappPaths.get_auth_token_url, platform, this.signOn);
    app.post(miniappPaths.webhook_url, platform, this.takeCompletion);
    app.post(miniappPaths.events_bridge_url, platform, this.takeEvent);
    app.use(noSuchPath, answerRefusal);
    return app;
  }

  /** A new session for the user, whoever they are: a name for them is all that it needs. */
  private readonly signOn: RequestHandler = (request, response) => {
    const [reference, email] = [bodyOf(request).get('reference') ?? undefined, bodyOf(request).get('email')];
    if (reference !== undefined || typeof email !== 'string') textOf(request, 'reference');
    response.json({ auth_token: freshToken('session'), refresh_token: freshToken('renew') });
  };

  /** The contract's webhook says 200 to whatever it can read, a no included: anything else would be sent again. */
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
    // A caller that names none of its miniapps learns so only after the credentials were right for one.
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

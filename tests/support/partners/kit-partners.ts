import { createServer, type Server } from 'node:http';
import express from 'express';
import {
  CallRefused,
  HostAppBackEnd,
  keepRawBody,
  MiniappBackEnd,
  type AgreedSignature,
  type Completion,
  type HostAppSettings,
  type PlatformCall,
  type PlatformHandler,
  type ReceivedEvent,
} from '../../../src/kit/kit';

/** Settings but the address, which is known when the back end listens. */
export type HostAppOptions = Omit<HostAppSettings, 'publicUrl' | 'clientId'>;

interface Listening {
  readonly server: Server;
  readonly url: string;
}

const listening = (server: Server): Promise<Listening> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, url: `http://127.0.0.1:${typeof address === 'object' && address ? String(address.port) : ''}` });
    });
  });

const close = ({ server }: Listening): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** A host app's back end made of the kit alone, on `node:http`; it keeps its own records. */
export class KitHostApp {
  readonly opened: { order: object; call: PlatformCall }[] = [];
  readonly events: ReceivedEvent[] = [];
  readonly errors: unknown[] = [];
  /** By access token. */
  readonly users = new Map([['access-1', 'user-mia']]);
  private constructor(private readonly at: Listening) {}

  static async start(): Promise<KitHostApp> {
    const server = createServer();
    const hostApp = new KitHostApp(await listening(server));
    server.on('request', (request, response) => hostApp.routes[(request.url ?? '').replace(/\?.*$/, '')]?.(request, response));
    return hostApp;
  }

  private routes: Readonly<Record<string, PlatformHandler>> = {};

  get url(): string {
    return this.at.url;
  }

  agree(clientId: string, options: HostAppOptions): void {
    const backEnd = new HostAppBackEnd({
      ...{ publicUrl: this.url, clientId, onError: (error) => void this.errors.push(error) },
      userOfToken: (token) => this.users.get(token),
      ...options,
    });
    this.routes = {
      '/token': backEnd.exchangeCode(({ auth_code }) => {
        if (auth_code !== 'code-1') throw new CallRefused('INVALID_AUTH_CODE', 'No such code');
        return { access_token: [...this.users.keys()].at(-1) ?? '', refresh_token: 'refresh-1' };
      }),
      '/refresh': backEnd.refreshTokens(() => ({ access_token: 'access-2' })),
      '/user': backEnd.userData((reference) => ({ reference, email: 'mia.berg@example.com' })),
      '/create': backEnd.createPayment(({ order }, call) => {
        this.opened.push({ order, call });
        return { order_payment_id: `op-${this.opened.length}` };
      }),
      '/status': backEnd.paymentStatus(() => ({ payment_status: 'in_process' })),
      '/events': backEnd.event((event) => {
        this.events.push(event);
        return { taken: true };
      }),
      '/client-token': backEnd.clientToken(() => ({ access_token: 'client-1', expires_in: 60 })),
    };
  }

  stop(): Promise<void> {
    return close(this.at);
  }
}

/** A miniapp's back end made of the kit, under Express, beside a parser of its own. */
export class KitMiniapp {
  readonly users: { reference: string; call: PlatformCall }[] = [];
  readonly completions: { completion: Completion; call: PlatformCall }[] = [];
  readonly events: ReceivedEvent[] = [];
  private readonly app = express();
  private constructor(private readonly server: (app: express.Express) => Promise<Listening>) {}
  private at: Listening | undefined;

  static async start(): Promise<KitMiniapp> {
    const miniapp = new KitMiniapp((app) => listening(createServer(app as Parameters<typeof createServer>[1])));
    miniapp.app.use(express.json({ verify: keepRawBody }));
    miniapp.at = await miniapp.server(miniapp.app);
    return miniapp;
  }

  get url(): string {
    return this.at?.url ?? '';
  }

  agree({ appId, secretKey }: { appId: string; secretKey: string }, signature?: AgreedSignature): void {
    const backEnd = new MiniappBackEnd({ publicUrl: this.url, appId, secretKey, ...(signature && { signature }) });
    this.app.post(
      '/auth',
      backEnd.signOn(({ reference }, call) => {
        this.users.push({ reference, call });
        return { auth_token: `session-of-${reference}` };
      }),
    );
    this.app.post(
      '/webhook',
      backEnd.completion((completion, call) => void this.completions.push({ completion, call })),
    );
    this.app.post(
      '/events',
      backEnd.event((event) => {
        this.events.push(event);
        return { seen: event.event_type };
      }),
    );
  }

  async stop(): Promise<void> {
    if (this.at) await close(this.at);
  }
}

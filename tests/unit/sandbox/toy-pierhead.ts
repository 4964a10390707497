import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request, type RequestHandler } from 'express';
import { basic } from './call';
import { idHeaders, post, relayRoutes, type JsonFields } from './toy-relays';

/** Ways in which a service could be wrong, that the demo has to notice. */
export type Fault =
  | 'exchanges-twice'
  | 'lets-anybody-in'
  | 'skips-miniapp'
  | 'forgets-consent'
  | 'changes-answer'
  | 'hangs-up'
  | 'forgets-webhook'
  | 'doubts-completion'
  | 'rounds-amounts'
  | 'asks-for-unknown'
  | 'gives-up-token'
  | 'swallows-events'
  | 'takes-any-payload';

const made = (prefix: string): string => `${prefix}${randomBytes(6).toString('hex')}`;
const madeSecret = (): string => randomBytes(32).toString('base64url');
const fingerprint = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;

/** As much of the service as the sandbox and its demo call, over real HTTP, with faults on demand. */
export class ToyPierhead {
  readonly partners = new Map<string, JsonFields>();
  readonly integrations = new Map<string, JsonFields>();
  readonly token = 'operator-token';
  readonly faults = new Set<Fault>();
  /** Every Secret key that it has made. */
  readonly secrets: string[] = [];
  url = '';
  /** Of the last authorized user. */
  userTokens = { access: '', refresh: '' };
  private readonly answers = new Map<string, unknown>();
  private readonly consents = new Set<string>();
  private stop: (() => Promise<void>) | undefined;

  async start(): Promise<this> {
    const server = this.application().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.stop = () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return this;
  }

  close(): Promise<void> {
    return this.stop?.() ?? Promise.resolve();
  }

  private application(): Express {
    const app = express();
    app.use(express.json({ type: ['application/json', 'application/merge-patch+json'] }));
    app.use('/manage/v1', this.operatorOnly);
    for (const [collection, idField] of [
      ['host-apps', 'client_id'],
      ['miniapps', 'app_id'],
    ] as const) {
      this.managePartners(app, collection, idField);
    }
    app.put('/manage/v1/integrations/:clientId/:appId', (request, response) => {
      this.integrations.set(`${request.params.clientId}/${request.params.appId}`, request.body as JsonFields);
      response.status(201).json(request.body);
    });
    app.post('/api/v1/connect/', this.connect);
    app.post('/api/v1/authorize/', this.authorize);
    app.get('/api/v1/accounts/consent/get_consent/', (request, response) => {
      response.json({ is_consented: this.consents.has(request.query.user_reference as string) });
    });
    app.get('/api/v1/miniapps/:appId/settings/', (request, response) => void response.json({ app_id: request.params.appId }));
    relayRoutes(app, this);
    return app;
  }

  private secret(): string {
    const secret = madeSecret();
    this.secrets.push(secret);
    return secret;
  }

  private managePartners(app: Express, collection: string, idField: 'client_id' | 'app_id'): void {
    const base = `/manage/v1/${collection}`;
    app.post(base, (request, response) => {
      const body = request.body as JsonFields;
      const id = (body[idField] as string | undefined) ?? made(idField === 'client_id' ? 'host_' : 'app_');
      this.partners.set(id, { ...body, [idField]: id, secret_key: this.secret() });
      response.status(201).json(this.partners.get(id));
    });
    app.get(`${base}/:id`, (request, response) => {
      const stored = this.partners.get(request.params.id);
      if (!stored) return void response.status(404).json({ title: 'Not found' });
      const { secret_key: secret, ...view } = stored;
      response.json({ ...view, credentials: { secret_key: { current: { fingerprint: fingerprint(String(secret)) } } } });
    });
    app.patch(`${base}/:id`, (request, response) => {
      const changed = { ...this.partners.get(request.params.id), ...(request.body as JsonFields) };
      this.partners.set(request.params.id, changed);
      const { secret_key: _secret, ...view } = changed;
      response.json({ ...view, [idField]: request.params.id });
    });
    app.post(`${base}/:id/rotate`, (request, response) => {
      const secret = this.secret();
      this.partners.set(request.params.id, { ...this.partners.get(request.params.id), secret_key: secret });
      response.json({ secret_key: secret });
    });
    app.delete(`${base}/:id`, (request, response) => {
      this.partners.delete(request.params.id);
      response.status(204).end();
    });
  }

  private readonly operatorOnly: RequestHandler = (request, response, next) => {
    if (request.get('authorization') === `Bearer ${this.token}`) next();
    else response.status(401).json({ title: 'Unauthorized' });
  };

  private readonly connect: RequestHandler = async (request, response) => {
    const {
      client_id: clientId,
      app_id: appId,
      user_data: user,
    } = request.body as { client_id: string; app_id: string; user_data: JsonFields };
    const expected = basic(clientId, String(this.partners.get(clientId)?.secret_key));
    if (request.get('authorization') !== expected && !this.faults.has('lets-anybody-in')) {
      return void response.status(401).json({ error_code: 'ACCESS_DENIED', error_message: 'no' });
    }
    if (this.faults.has('hangs-up')) return void response.destroy();
    if (!this.faults.has('forgets-consent')) this.consents.add(String(user.reference));
    const pair = this.faults.has('skips-miniapp') ? { auth_token: 't', refresh_token: 'r' } : await this.miniappToken(request, user);
    response.json({ token: pair.auth_token, refresh_token: pair.refresh_token, app_id: appId });
  };

  private readonly authorize: RequestHandler = async (request, response) => {
    const { client_id: clientId, auth_code: code } = request.body as { client_id: string; auth_code: string };
    const kept = this.answers.get(code);
    if (kept && this.faults.has('exchanges-twice')) await this.exchange(request, clientId, code);
    if (kept) return void response.json(this.faults.has('changes-answer') ? { ...kept, auth_token: 'other' } : kept);
    const { access_token: token, refresh_token: refreshToken } = await this.exchange(request, clientId, code);
    this.userTokens = { access: String(token), refresh: String(refreshToken) };
    const userUrl = String(this.partners.get(clientId)?.user_data_url);
    const headers = { ...idHeaders(request), Authorization: `Token ${String(token)}` };
    const reply = (await (await fetch(userUrl, { headers })).json()) as { user_data: JsonFields };
    const pair = await this.miniappToken(request, reply.user_data);
    const answer = { auth_token: pair.auth_token, token: pair.auth_token, refresh_token: pair.refresh_token };
    this.answers.set(code, answer);
    response.json(answer);
  };

  private exchange(request: Request, clientId: string, code: string): Promise<JsonFields> {
    const hostApp = this.partners.get(clientId);
    const authorization = basic(String(hostApp?.host_app_client_id), String(hostApp?.host_app_secret_key));
    return post(request, String(hostApp?.access_token_url), { Authorization: authorization }, { auth_code: code });
  }

  miniappToken(request: Request, user: JsonFields): Promise<JsonFields> {
    const { app_id: appId } = request.body as { app_id: string };
    const miniapp = this.partners.get(appId);
    return post(request, String(miniapp?.get_auth_token_url), { Authorization: basic(appId, String(miniapp?.secret_key)) }, user);
  }
}

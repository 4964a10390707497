import { request as httpRequest } from 'node:http';
import { T } from '../../../src/composition/tokens/tokens';
import { aPair, type Pair, type PairSettings } from './a-pair';
import { ManualClock } from '../manual-clock';
import { startTestService, type Reply, type TestService } from '../service/service';
import type { SigningPartner, SignedRequest } from './signing-partner';
import { bytes, json } from '../partners/stub-behaviours';
import { StubPartner } from '../partners/stub-partner';

/** What `{url}` is built from in these tests: nobody calls it. */
export const publicBase = 'https://platform.example';
export const createPath = '/api/v1/orders/create-order-payment/';

export const signingSecret = 'CANARY-a-shared-secret-of-more-than-32-bytes';

/** What of a good request is different. `undefined` as a header: it is left out. */
export interface Change extends Partial<SignedRequest> {
  readonly signed?: string | Buffer;
  readonly sent?: string | Buffer;
  readonly path?: string;
  readonly at?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A service with a clock of the test's and two back ends that answer, for calls that are signed. */
export class SignedCalls {
  private constructor(
    readonly service: TestService,
    readonly clock: ManualClock,
    private readonly hostApp: StubPartner,
    private readonly miniapp: StubPartner,
  ) {}

  static async open(): Promise<SignedCalls> {
    const clock = new ManualClock(1_800_000_000_000);
    const service = await startTestService({
      env: { PUBLIC_BASE_URL: publicBase },
      change: (container) => void container.rebind(T.clock).toConstantValue(clock),
    });
    const hostApp = await new StubPartner().start();
    hostApp.on('/create', json({ order_payment_id: 'op_1' })).on('/events', json({ taken: true }));
    const miniapp = await new StubPartner().start();
    miniapp
      .on('/auth', json({ auth_token: 'mini-token' }))
      .on('/events', json({ taken: true }))
      .on('/webhook', bytes('text/plain', 'ok'));
    return new SignedCalls(service, clock, hostApp, miniapp);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.hostApp.stop();
    await this.miniapp.stop();
  }

  pair({ hostApp, miniapp, ...more }: PairSettings = {}): Promise<Pair> {
    const { url: hostAppUrl } = this.hostApp;
    const { url: miniappUrl } = this.miniapp;
    return aPair(this.service, {
      ...{ hostAppUrl, miniappUrl },
      hostApp: { create_order_payment_url: `${hostAppUrl}/create`, events_bridge_url: `${hostAppUrl}/events`, ...hostApp },
      miniapp: { events_bridge_url: `${miniappUrl}/events`, webhook_url: `${miniappUrl}/webhook`, ...miniapp },
      ...more,
    });
  }

  /** A pair whose miniapp signs. */
  signing(signer: SigningPartner, more: Record<string, unknown> = {}, integration: Record<string, unknown> = {}): Promise<Pair> {
    return this.pair({ miniapp: { signature: { ...signer.settings, ...more } }, integration });
  }

  /** A create-order-payment, signed and sent. */
  async create(pair: Pair, signer: SigningPartner, change: Change = {}): Promise<Reply> {
    const { signed, sent = signed ?? orderOf(pair), path = createPath, at = this.clock.now(), headers = {}, ...values } = change;
    const agreed = signer.headers({ method: 'POST', url: publicBase + path, payload: signed ?? sent, at, ...values });
    const wanted = Object.entries({ ...agreed, ...headers }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return this.service.call('POST', path, { headers: Object.fromEntries(wanted), body: sent });
  }

  /** A request whose lines are all the test's own: doubled headers, any request target. */
  raw(path: string, headers: readonly string[], body: string): Promise<{ readonly status: number; readonly code: string | undefined }> {
    return new Promise((resolve, reject) => {
      const { port } = new URL(this.service.url);
      const lines = [
        ...headers,
        'Host',
        '127.0.0.1',
        'Content-Type',
        'application/json',
        'Content-Length',
        String(Buffer.byteLength(body)),
      ];
      const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', path, headers: lines, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, code: text.startsWith('{') ? JSON.parse(text).error_code : undefined });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

export const orderOf = ({ clientId, appId }: Pair, order = '{"currency":"USD","amount":"1.10"}'): string =>
  `{"app_id":"${appId}","client_id":"${clientId}","order":${order}}`;

/** Status, code, cause or setting, and whose doing it is. */
export const verdictOf = ({ status, body }: Reply): readonly unknown[] => {
  const { cause, setting, side } = body.custom_attributes ?? {};
  return [status, body.error_code, cause ?? setting, body.error_code && side].filter((part) => part !== undefined);
};

/** What a miniapp is answered. */
export const accepted = [200];
export const refused = (cause: string) => [401, 'INVALID_SIGNATURE', cause, 'miniapp'];
export const unreadable = (cause: string) => [401, 'SIGNATURE_VALIDATION_ERROR', cause, 'miniapp'];
export const lacks = (header: string) => [401, 'MISSING_HEADER', header, 'miniapp'];

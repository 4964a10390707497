import { aPair, basicOf, type Pair } from '../../support/signatures/a-pair';
import type { TestService } from '../../support/service/service';
import { SigningPartner } from '../../support/signatures/signing-partner';
import { json, type Behaviour } from '../../support/partners/stub-behaviours';
import { StubPartner, type Received } from '../../support/partners/stub-partner';
import type { DriverCall } from './driver';

/** Stands in all that a tenant sends, and in all that its partners answer. */
const markPattern = /mark-\d{4}-end/g;

/** The tenants whose marks a text holds. */
export const marksIn = (text: string): Set<string> => new Set(text.match(markPattern));

/** What `{url}` is built from: nobody calls it. */
export const publicBase = 'https://platform.example';

/** A host app and a miniapp that belong together, and a mark of theirs. */
export interface Tenant {
  readonly mark: string;
  readonly pair: Pair;
  readonly signer: SigningPartner;
  /** Payments that were opened; each tenant's are called `op-1`, `op-2`, … */
  opened: number;
}

/** Which ids a call names: the caller's own, or another tenant's. */
export interface NamedIds {
  readonly clientId: string;
  readonly appId: string;
}

/** Tenants on one service whose partners share one back end, under a path of each. */
export class Tenants {
  readonly all: Tenant[] = [];
  private readonly back = new StubPartner();

  private constructor(private readonly service: TestService) {}

  static async open(service: TestService, count: number): Promise<Tenants> {
    const tenants = new Tenants(service);
    await tenants.back.start();
    for (let n = 0; n < count; n++) await tenants.add();
    return tenants;
  }

  close(): Promise<void> {
    return this.back.stop();
  }

  /** The back end's URL for one tenant. */
  urlOf(mark: string): string {
    return `${this.back.url}/${mark}`;
  }

  /** Calls that reached one tenant's partners with the mark of another. */
  foreignCalls(): Received[] {
    return this.back.store.filter(({ path, body, rawHeaders }) => {
      const owner = path.split('/')[1] ?? '';
      return [...marksIn(`${rawHeaders.join('\n')}\n${body.toString('utf8')}`)].some((mark) => mark !== owner);
    });
  }

  get callsToPartners(): number {
    return this.back.store.length;
  }

  /** All requests to any of the other tenants' partners, as text. */
  sentToOthersThan(mark: string): string {
    const others = this.back.store.filter(({ path }) => !path.startsWith(`/${mark}/`));
    return others.map(({ rawHeaders, body }) => `${rawHeaders.join('\n')}\n${body.toString('utf8')}`).join('\n');
  }

  /** Sets one more up. `change`: members of its host app or miniapp. */
  async add(change: { readonly hostApp?: object; readonly miniapp?: object } = {}): Promise<Tenant> {
    const mark = `mark-${String(this.all.length + 1).padStart(4, '0')}-end`;
    const secret = this.service.canary(`CANARY-hmac-${mark}-of-more-than-32-bytes`);
    const signer = SigningPartner.withSecret(secret, { api_client_id: `cid-${mark}` });
    const at = this.urlOf(mark);
    const urls = { create_order_payment_url: `${at}/create`, get_order_payment_status_url: `${at}/status` };
    const pair = await aPair(this.service, {
      hostApp: { ...urls, events_bridge_url: `${at}/events`, host_app_client_id: `host-${mark}`, ...change.hostApp },
      miniapp: {
        get_auth_token_url: `${at}/auth`,
        webhook_url: `${at}/webhook`,
        events_bridge_url: `${at}/events`,
        signature: signer.settings,
        ...change.miniapp,
      },
    });
    const tenant = { mark, pair, signer, opened: 0 };
    this.answers(tenant);
    this.all.push(tenant);
    return tenant;
  }

  private answers(tenant: Tenant): void {
    const { mark } = tenant;
    const answers: Readonly<Record<string, Behaviour>> = {
      auth: json({ auth_token: this.service.canary(`CANARY-session-${mark}`) }),
      create: (received, response) =>
        json({ order_payment_id: `op-${String(++tenant.opened)}`, custom_attributes: { mark } })(received, response),
      status: ({ body, ...received }, response) =>
        json({ ...JSON.parse(body.toString('utf8')), payment_status: 'in_process', custom_attributes: { mark } })(
          { body, ...received },
          response,
        ),
      webhook: json({}),
      events: json({ mark }),
    };
    for (const [path, behaviour] of Object.entries(answers)) this.back.on(`/${mark}/${path}`, behaviour);
  }
}

/** A call by a tenant's partner, with its credentials, that names `ids`. `n`: makes it differ from others. */
export type TenantCall = (tenant: Tenant, ids: NamedIds, n: number) => Omit<DriverCall, 'url'> & { readonly path: string };

const bodyOf = ({ clientId, appId }: NamedIds, members: object): string =>
  JSON.stringify({ client_id: clientId, app_id: appId, ...members });

const byHostApp =
  (path: string, members: (tenant: Tenant, n: number) => object): TenantCall =>
  (tenant, ids, n) => ({ name: path, key: tenant.mark, path, headers: tenant.pair.basic, body: bodyOf(ids, members(tenant, n)) });

const byMiniapp =
  (path: string, members: (tenant: Tenant, n: number) => object): TenantCall =>
  (tenant, ids, n) => {
    const body = bodyOf(ids, members(tenant, n));
    const headers = tenant.signer.headers({ method: 'POST', url: publicBase + path, payload: body, at: Date.now() });
    return { name: path, key: tenant.mark, path, headers, body };
  };

const somePayment = ({ opened }: Tenant, n: number): string => `op-${String(1 + (n % Math.max(1, opened)))}`;

/** A user's e-mail address: of one tenant, and of nobody else's concern. */
export const emailOf = (mark: string): string => `CANARY-${mark}@example.com`;

export const connect = byHostApp('/api/v1/connect/', ({ mark }, n) => ({
  user_data: { reference: `user-${String(n % 7)}-of-${mark}`, email: emailOf(mark), custom_attributes: { mark } },
}));
export const create = byMiniapp('/api/v1/orders/create-order-payment/', ({ mark }, n) => ({
  order: { currency: 'USD', amount: '1.10', note: mark, miniapp_order_id: `${mark}-${String(n)}` },
}));

/** Every call of the interface that comes with credentials. */
export const tenantCalls: readonly TenantCall[] = [
  connect,
  create,
  byHostApp('/api/v1/orders/complete-order/', (tenant, n) => ({
    ...{ order_payment_id: somePayment(tenant, n), payment_status: 'paid', custom_attributes: { mark: tenant.mark } },
  })),
  byMiniapp('/api/v1/orders/get-payment-status/', (tenant, n) => ({ order_payment_id: somePayment(tenant, n) })),
  byMiniapp('/api/v1/events/miniapp/', ({ mark }) => ({ event_type: 't', payload: { mark } })),
  byMiniapp('/api/v1/events/hostapp/', ({ mark }) => ({ event_type: 't', payload: { mark } })),
  ({ mark, pair, signer }, { clientId, appId }, n) => {
    const path = '/api/v1/analytics/miniapp-transactions/';
    const body = JSON.stringify({ transaction_id: `tx-${String(n)}`, amount: '1.10', currency: 'USD', user_reference: `user-of-${mark}` });
    const signed = signer.headers({ method: 'POST', url: publicBase + path, payload: body, at: Date.now() });
    const named = { 'X-Miniapp-App-Id': appId, 'X-Hostapp-Client-Id': clientId };
    return { name: path, key: mark, path, headers: { ...basicOf(pair.appId, pair.miniSecret), ...named, ...signed }, body };
  },
];

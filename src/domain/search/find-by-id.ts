import type { Scope } from '../accounts/viewer';
import type { DeliveryRepository } from '../deliveries/ports';
import type { ExchangeReader } from '../exchanges/ports';
import type { HostAppRepository, MiniappRepository } from '../partners/ports';
import type { PaymentRecordRepository } from '../payments/payment-record-repository';
import type { UserRecordRepository } from '../sso/user-record-repository';

export type HitKind = 'exchange' | 'payment' | 'delivery' | 'user' | 'host_app' | 'miniapp';

/** A record with the id. */
export interface Hit {
  readonly kind: HitKind;
  readonly id: string;
  /** The kind of id that matched. */
  readonly by: string;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined;
}

interface Deps {
  readonly exchanges: ExchangeReader;
  readonly payments: PaymentRecordRepository;
  readonly deliveries: DeliveryRepository;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly users: UserRecordRepository;
}

/** Maximum number of hits per kind; more hits would mean that the text is no id. */
const maxPerKind = 10;
const page = { limit: maxPerKind, after: undefined };
/** The form of our own ids; user references may be any text. */
const idForm = /^[A-Za-z0-9_-]{1,64}$/;

/** Finds records by an exact id, with indexed lookups only, within the viewer's scope. */
export class FindById {
  constructor(private readonly deps: Deps) {}

  async execute({ text, scope }: { readonly text: string; readonly scope: Scope }): Promise<readonly Hit[]> {
    const isSeen = ({ clientId, appId }: Hit): boolean =>
      (scope.clientId === undefined || scope.clientId === clientId) && (scope.appId === undefined || scope.appId === appId);
    const ours = idForm.test(text) ? await this.ours(text) : [];
    const [requests, orders, users] = await Promise.all([this.requests(text), this.orders(text), this.users(text, scope)]);
    const hits = [...ours, ...requests, ...orders, ...users].filter(isSeen);
    return hits.filter(
      (hit, i) => hits.findIndex(({ kind, id, clientId }) => kind === hit.kind && id === hit.id && clientId === hit.clientId) === i,
    );
  }

  /** Searches the ids that the service generates. */
  private async ours(id: string): Promise<readonly Hit[]> {
    const { exchanges, payments, deliveries, hostApps, miniapps } = this.deps;
    const [exchange, payment, delivery, hostApp, miniapp] = await Promise.all([
      exchanges.find(id),
      payments.find(id),
      deliveries.find(id),
      hostApps.find(id),
      miniapps.find(id),
    ]);
    const found: (Hit | undefined)[] = [
      exchange && { kind: 'exchange', id, by: 'id', clientId: exchange.clientId, appId: exchange.appId, at: exchange.at },
      payment && { kind: 'payment', id, by: 'id', ...payment.pair, at: payment.createdAt },
      delivery && { kind: 'delivery', id, by: 'id', ...delivery.pair, at: delivery.createdAt },
      hostApp && { kind: 'host_app', id, by: 'client id', clientId: id },
      miniapp && { kind: 'miniapp', id, by: 'app id', appId: id },
    ];
    return found.filter((hit) => hit !== undefined);
  }

  private async requests(requestId: string): Promise<readonly Hit[]> {
    const found = await this.deps.exchanges.list({ requestId }, page);
    return found.map(({ id, clientId, appId, at }) => ({ kind: 'exchange', id, by: 'request id', clientId, appId, at }));
  }

  private async orders(orderPaymentId: string): Promise<readonly Hit[]> {
    const found = await this.deps.payments.list({ orderPaymentId }, page);
    return found.map(({ id, pair, createdAt }) => ({ kind: 'payment', id, by: 'order payment id', ...pair, at: createdAt }));
  }

  /** Finds nothing for a miniapp, which could otherwise learn whether a user uses the host app. */
  private async users(reference: string, { clientId, appId }: Scope): Promise<readonly Hit[]> {
    if (appId !== undefined) return [];
    const found = await this.deps.users.list({ reference, ...(clientId !== undefined && { clientId }) }, page);
    return found.map((user) => ({ kind: 'user', id: reference, by: 'user reference', clientId: user.clientId, at: user.lastSignOnAt }));
  }
}

import type { Scope } from '../accounts/viewer';
import type { DeliveryBook } from '../deliveries/ports';
import type { ExchangeReader } from '../exchanges/ports';
import type { HostAppRepository, MiniappRepository } from '../partners/ports';
import type { PaymentBook } from '../payments/payment-book';
import type { UserBook } from '../sso/user-book';

export type HitKind = 'exchange' | 'payment' | 'delivery' | 'user' | 'host_app' | 'miniapp';

/** Something that has the id that was looked for. */
export interface Hit {
  readonly kind: HitKind;
  readonly id: string;
  /** Which of its ids it was. */
  readonly by: string;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at?: number | undefined;
}

interface Deps {
  readonly exchanges: ExchangeReader;
  readonly payments: PaymentBook;
  readonly deliveries: DeliveryBook;
  readonly hostApps: HostAppRepository;
  readonly miniapps: MiniappRepository;
  readonly users: UserBook;
}

/** Of a kind; an id that so many have is no id. */
const mostOfKind = 10;
const page = { limit: mostOfKind, after: undefined };
/** What can be an id of ours; user references may be anything. */
const idForm = /^[A-Za-z0-9_-]{1,64}$/;

/** Finds whatever has an id, exactly, by look-ups that an index answers. Only what lies in the viewer's scope. */
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

  /** By the ids that are made here. */
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

  /** A miniapp could learn here who uses the host app: it gets nothing. */
  private async users(reference: string, { clientId, appId }: Scope): Promise<readonly Hit[]> {
    if (appId !== undefined) return [];
    const found = await this.deps.users.list({ reference, ...(clientId !== undefined && { clientId }) }, page);
    return found.map((user) => ({ kind: 'user', id: reference, by: 'user reference', clientId: user.clientId, at: user.lastSignOnAt }));
  }
}

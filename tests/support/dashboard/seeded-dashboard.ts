import type { DevelopmentService } from '../service/development-service';

/** The sandbox's partners behind a development service, and what can be made to happen between them. */
export class SandboxTraffic {
  constructor(private readonly service: DevelopmentService) {}

  /** Calls the manage API as the operator. Resolves to the JSON that came. */
  async manage<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { Authorization: `Bearer ${this.service.operatorToken}`, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return (await (await fetch(`${this.service.url}/manage/v1/${path}`, { method, headers, ...sent })).json()) as Answer;
  }

  /** A payment of the sandbox's miniapp; its amount decides how it goes. Resolves to the host app's id. */
  async open(amount: string): Promise<string> {
    const order = { currency: 'USD', amount, miniapp_order_id: `order-${amount}` };
    return (await post<{ order_payment_id: string }>(`${this.service.miniappUrl}/shop/orders`, { order })).order_payment_id;
  }

  /** The user pays it. */
  async pay(orderPaymentId: string): Promise<void> {
    await post(`${this.service.hostAppUrl}/sandbox/payments/${orderPaymentId}/pay`, {});
  }

  /** A user of the sandbox signs on; one of `user-mia-0001`, `user-omar-0002`, `user-yuki-0003`. */
  async signOn(reference: string): Promise<void> {
    await post(`${this.service.hostAppUrl}/sandbox/connect`, { reference });
  }

  /** The same by an auth code: the service then holds tokens of the user. */
  async authorize(reference: string): Promise<void> {
    const { url, hostAppUrl } = this.service;
    const { client_id, app_id } = (await (await fetch(`${hostAppUrl}/sandbox/playground`)).json()) as Record<string, string>;
    const { auth_code } = await post<{ auth_code: string }>(`${hostAppUrl}/sandbox/codes`, { reference });
    await post(`${url}/api/v1/authorize/`, { client_id, app_id, auth_code });
  }

  /** How many calls of 100 the miniapp fails. */
  miniappFails(percent: number): Promise<void> {
    return this.turn({ error_percent: percent });
  }

  /** How long the miniapp takes to answer, in milliseconds. */
  miniappWaits(ms: number): Promise<void> {
    return this.turn({ delay_ms: ms });
  }

  /** The miniapp's dials, anew: those that are not named are at nothing. */
  private async turn(dials: object): Promise<void> {
    const init = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(dials) };
    await fetch(`${this.service.miniappUrl}/sandbox/dials`, init);
  }

  /** Our id of a payment, and how it stands. */
  async payment(orderPaymentId: string): Promise<{ id: string; notice?: string; open_conflicts: number; status: string }> {
    const { data } = await this.manage<{ data: { id: string; notice?: string; open_conflicts: number; status: string }[] }>(
      'GET',
      `payments?order_payment_id=${orderPaymentId}`,
    );
    if (!data[0]) throw new Error('No such payment');
    return data[0];
  }
}

async function post<Answer>(url: string, body: object): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${String(response.status)} ${text}`);
  return JSON.parse(text) as Answer;
}

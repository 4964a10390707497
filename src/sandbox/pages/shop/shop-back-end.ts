import { ask } from '../own-back-end';

/** What the user has chosen. */
export interface Order {
  readonly passengers: number;
  /** Of all tickets, in plain notation. */
  readonly amount: string;
  readonly reference: string;
}

/** Has the shop's back end create the payment; resolves to its id at the host app. Throws BackEndRefused. */
export async function createPayment({ passengers, amount, reference }: Order): Promise<string> {
  const items = [{ product_name: 'Harbour Pier – Skerry Island', quantity: passengers }];
  const order = { currency: 'USD', amount, miniapp_order_id: reference, items };
  return (await ask<{ order_payment_id: string }>('POST', '/shop/orders', { order })).order_payment_id;
}

/** What the webhook brought; `null`: nothing yet. */
export const webhookSays = async (payment: string): Promise<string | null> =>
  (await ask<{ payment_status: string | null }>('GET', `/shop/orders/${encodeURIComponent(payment)}`)).payment_status;

/** Asks the host app through the service. Throws BackEndRefused. */
export const askStatus = async (payment: string): Promise<string> =>
  (await ask<{ payment_status: string }>('POST', `/shop/orders/${encodeURIComponent(payment)}/ask`)).payment_status;

/** Sends an event to the host app's back end. Throws BackEndRefused. */
export const sendEvent = (type: string, payload: object): Promise<unknown> => ask('POST', '/shop/events', { event_type: type, payload });

export interface News {
  /** Milliseconds since the epoch; 0: none came yet. */
  readonly at: number;
  readonly text?: string;
}

/** The newest event from the host app. */
export const newestNews = (): Promise<News> => ask<News>('GET', '/shop/news');

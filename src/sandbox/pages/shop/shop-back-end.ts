import { callBackEnd } from '../own-back-end';

/** The user's order. */
export interface Order {
  readonly passengers: number;
  /** Total of all tickets, in plain decimal notation. */
  readonly amount: string;
  readonly reference: string;
}

/** Creates the payment through the shop's back end. Resolves to its id at the host app. Throws BackEndRefused. */
export async function createPayment({ passengers, amount, reference }: Order): Promise<string> {
  const items = [{ product_name: 'Harbour Pier – Skerry Island', quantity: passengers }];
  const order = { currency: 'USD', amount, miniapp_order_id: reference, items };
  return (await callBackEnd<{ order_payment_id: string }>('POST', '/shop/orders', { order })).order_payment_id;
}

/** The status that the webhook delivered; `null` before. */
export const webhookStatus = async (payment: string): Promise<string | null> =>
  (await callBackEnd<{ payment_status: string | null }>('GET', `/shop/orders/${encodeURIComponent(payment)}`)).payment_status;

/** Reads the payment's status from the host app, through the service. Throws BackEndRefused. */
export const pollStatus = async (payment: string): Promise<string> =>
  (await callBackEnd<{ payment_status: string }>('POST', `/shop/orders/${encodeURIComponent(payment)}/poll`)).payment_status;

/** Sends an event to the host app's back end. Throws BackEndRefused. */
export const sendEvent = (type: string, payload: object): Promise<unknown> =>
  callBackEnd('POST', '/shop/events', { event_type: type, payload });

export interface News {
  /** Milliseconds since the epoch; 0 when no event has come. */
  readonly at: number;
  readonly text?: string;
}

/** The newest event from the host app. */
export const newestNews = (): Promise<News> => callBackEnd<News>('GET', '/shop/news');

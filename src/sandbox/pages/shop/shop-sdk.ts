import sdk from '@appboxo/js-sdk';

/** What the host page tells a miniapp at the start. */
export interface HostFacts {
  readonly theme: 'light' | 'dark';
}

/** Asks the host page who it is. Resolves only inside a host app. */
export async function askHost(): Promise<HostFacts> {
  const { data } = await sdk.getInitData();
  return { theme: (data as { theme?: unknown } | null)?.theme === 'dark' ? 'dark' : 'light' };
}

/** Signs the user on; resolves to the session token. Rejects where the user does not agree or the host app fails. */
export async function signOn(): Promise<string> {
  // In a plain frame the SDK's own login() refuses; its message is answered all the same.
  const answer: unknown = await sdk.sendPromise('AppBoxoWebAppLogin', { confirmModalText: 'Sign in to Skerry Ferries' });
  const { payload } = answer as { payload?: { token?: string } };
  if (!payload?.token) throw new Error('No session came');
  return payload.token;
}

/** Has the host app's sheet opened for a payment; resolves to what the host page says of it, which is no proof. */
export async function payOnSheet(order: {
  readonly payment: string;
  readonly amount: string;
  readonly reference: string;
}): Promise<string> {
  const { payment: transactionToken, amount, reference: miniappOrderId } = order;
  const answer = await sdk.sendPromise('AppBoxoWebAppPay', { transactionToken, amount: Number(amount), currency: 'USD', miniappOrderId });
  return answer.status;
}

/** An event for the host page itself; no server hears of it. */
export const shareTicket = (text: string): Promise<unknown> =>
  sdk.sendPromise('AppBoxoWebAppCustomEvent', { type: 'ticket.shared', payload: { text } });

interface HostMessage {
  readonly type?: string;
  readonly handler?: string;
  readonly theme?: string;
}

/** Hears when the host app signs the user out or changes its colours; the returned function ends that. */
export function hearHost(heard: { readonly signedOut: () => void; readonly theme: (theme: 'light' | 'dark') => void }): () => void {
  const hear = ({ data, source }: MessageEvent<HostMessage | null>): void => {
    if (source !== window.parent) return;
    if (data?.handler === 'AppBoxoWebAppLogout') heard.signedOut();
    if (data?.type === 'appboxo-theme-change') heard.theme(data.theme === 'dark' ? 'dark' : 'light');
  };
  window.addEventListener('message', hear);
  return () => window.removeEventListener('message', hear);
}

import sdk from '@appboxo/js-sdk';

/** The host page's settings that a miniapp gets at the start. */
export interface HostSettings {
  readonly theme: 'light' | 'dark';
}

/** Reads the host page's settings. Resolves only inside a host app. */
export async function hostSettings(): Promise<HostSettings> {
  const { data } = await sdk.getInitData();
  return { theme: (data as { theme?: unknown } | null)?.theme === 'dark' ? 'dark' : 'light' };
}

/** Signs the user on. Resolves to the session token. Rejects where the user does not consent or the host app fails. */
export async function signOn(): Promise<string> {
  // The SDK's own login() refuses in a plain frame, but the host page answers its message.
  const answer: unknown = await sdk.sendPromise('AppBoxoWebAppLogin', { confirmModalText: 'Sign in to Skerry Ferries' });
  const { payload } = answer as { payload?: { token?: string } };
  if (!payload?.token) throw new Error('No session came');
  return payload.token;
}

/** Opens the host app's payment sheet. Resolves to the result that the host page reports, which is no proof. */
export async function payOnSheet(order: {
  readonly payment: string;
  readonly amount: string;
  readonly reference: string;
}): Promise<string> {
  const { payment: transactionToken, amount, reference: miniappOrderId } = order;
  const answer = await sdk.sendPromise('AppBoxoWebAppPay', { transactionToken, amount: Number(amount), currency: 'USD', miniappOrderId });
  return answer.status;
}

/** Sends an event to the host page itself, not to a server. */
export const shareTicket = (text: string): Promise<unknown> =>
  sdk.sendPromise('AppBoxoWebAppCustomEvent', { type: 'ticket.shared', payload: { text } });

interface HostMessage {
  readonly type?: string;
  readonly handler?: string;
  readonly theme?: string;
}

/** Calls a handler when the host app signs the user out or changes its theme. Returns a function that unsubscribes. */
export function onHostMessage(handlers: { readonly signedOut: () => void; readonly theme: (theme: 'light' | 'dark') => void }): () => void {
  const onMessage = ({ data, source }: MessageEvent<HostMessage | null>): void => {
    if (source !== window.parent) return;
    if (data?.handler === 'AppBoxoWebAppLogout') handlers.signedOut();
    if (data?.type === 'appboxo-theme-change') handlers.theme(data.theme === 'dark' ? 'dark' : 'light');
  };
  window.addEventListener('message', onMessage);
  return () => window.removeEventListener('message', onMessage);
}

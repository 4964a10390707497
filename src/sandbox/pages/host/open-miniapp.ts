import { AppboxoWebSDK, type PaymentRequest, type PaymentResponse } from '@appboxo/web-sdk';
import { ask } from '../own-back-end';
import { messageLeg, type NoteLeg } from './page-legs';
import type { Flow, PlaygroundFacts } from './playground-facts';

/** A payment as the host app's own books have it. */
export interface BookedPayment {
  readonly order_payment_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly payment_status: 'in_process' | 'paid' | 'failed' | 'cancelled';
}

/** What the page does for a miniapp that it opens. */
export interface MiniappHost {
  readonly facts: PlaygroundFacts;
  readonly flow: Flow;
  readonly reference: string;
  readonly theme: 'light' | 'dark';
  /** Resolves to whether the user agrees. */
  readonly askConsent: () => Promise<boolean>;
  /** Resolves to what became of the payment once the user has acted on the sheet. */
  readonly askPayment: (payment: BookedPayment) => Promise<BookedPayment>;
  /** Something that the user should see for a moment. */
  readonly say: (text: string) => void;
  readonly note: NoteLeg;
}

/** A miniapp that is open. */
export interface OpenMiniapp {
  readonly sdk: AppboxoWebSDK;
  close(): void;
}

/** Opens the miniapp in `container` through the published SDK: it asks the service where the miniapp is. Throws where that fails. */
export async function openMiniapp(container: HTMLElement, host: MiniappHost): Promise<OpenMiniapp> {
  const { facts, flow, reference, theme, note } = host;
  const sdk = new AppboxoWebSDK({
    clientId: facts.client_id,
    appId: facts.app_id,
    userId: reference,
    baseUrl: `${facts.service}/api/v1`,
    theme,
    onPaymentRequest: (request) => pay(host, request),
    ...(flow === 'code'
      ? { onGetAuthCode: async () => (await ask<{ auth_code: string }>('POST', '/sandbox/codes', { reference })).auth_code }
      : { onGetAuthTokens: () => ask<{ token: string; refresh_token: string }>('POST', '/sandbox/connect', { reference }) }),
  });
  const heard = (event: MessageEvent<{ readonly type?: string; readonly handler?: string } | null>): void => {
    if (event.data?.type === 'appboxo-js-sdk') note(messageLeg('host page', event.data.handler ?? 'a message'));
  };
  window.addEventListener('message', heard);
  sdk.onAuth(() => consent(host));
  sdk.onLoginComplete(() => note(messageLeg('miniapp page', 'AppBoxoWebAppLogin: token, refresh_token')));
  sdk.onPaymentComplete((_success, result: PaymentResponse) => note(messageLeg('miniapp page', `AppBoxoWebAppPay: ${result.status}`)));
  sdk.onEvent('ticket.shared', async (_type, payload: { readonly text?: string }) => {
    host.say(payload.text ?? 'Shared');
    note(messageLeg('miniapp page', 'AppBoxoWebAppCustomEvent: shared'));
    return { shared: true };
  });
  await sdk.mount({ container });
  const close = (): void => {
    window.removeEventListener('message', heard);
    sdk.destroy();
  };
  return { sdk, close };
}

/** The user is asked once; afterwards the service remembers. Throws where they do not agree: the miniapp's login then fails. */
async function consent({ facts, reference, askConsent, note }: MiniappHost): Promise<void> {
  const query = new URLSearchParams({ client_id: facts.client_id, app_id: facts.app_id, user_reference: reference });
  const response = await fetch(`${facts.service}/api/v1/accounts/consent/get_consent/?${query.toString()}`);
  const { is_consented: consented } = (await response.json()) as { is_consented?: boolean };
  if (consented === true || (await askConsent())) return;
  note(messageLeg('miniapp page', 'AppBoxoWebAppLogin: the user did not agree'));
  throw new Error('The user did not agree');
}

/** The price comes from the host app's own books: a page can say what it likes. */
async function pay(host: MiniappHost, request: PaymentRequest): Promise<PaymentResponse> {
  const booked = await ask<BookedPayment>('GET', `/sandbox/payments/${encodeURIComponent(request.transactionToken)}`);
  const { payment_status: status, order_payment_id: hostappOrderId } = await host.askPayment(booked);
  const said = { paid: 'success', failed: 'failed', cancelled: 'cancelled', in_process: 'in_process' }[status];
  // The SDK's type knows three words; it hands on any, and a payment that is not final yet is none of the three.
  return { ...request, hostappOrderId, status: said as PaymentResponse['status'] };
}

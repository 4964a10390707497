import { AppboxoWebSDK, type PaymentRequest, type PaymentResponse } from '@appboxo/web-sdk';
import { callBackEnd } from '../../own-back-end';
import { messageLeg, type NoteLeg } from '../legs/page-legs';
import type { Flow, PlaygroundSettings } from '../playground-settings';

/** A payment in the host app's own records. */
export interface RecordedPayment {
  readonly order_payment_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly payment_status: 'in_process' | 'paid' | 'failed' | 'cancelled';
}

/** The page's functions for an open miniapp. */
export interface MiniappHost {
  readonly settings: PlaygroundSettings;
  readonly flow: Flow;
  readonly reference: string;
  readonly theme: 'light' | 'dark';
  /** Resolves to whether the user consents. */
  readonly promptConsent: () => Promise<boolean>;
  /** Resolves to the updated payment after the user has acted on the sheet. */
  readonly promptPayment: (payment: RecordedPayment) => Promise<RecordedPayment>;
  /** Shows a message for a moment. */
  readonly showMessage: (text: string) => void;
  readonly note: NoteLeg;
}

/** A miniapp that is open. */
export interface OpenMiniapp {
  readonly sdk: AppboxoWebSDK;
  close(): void;
}

/** Opens the miniapp in `container` with the published SDK, which asks the service for the miniapp's URL. Throws where that fails. */
export async function openMiniapp(container: HTMLElement, host: MiniappHost): Promise<OpenMiniapp> {
  const { settings, flow, reference, theme, note } = host;
  const sdk = new AppboxoWebSDK({
    clientId: settings.client_id,
    appId: settings.app_id,
    userId: reference,
    baseUrl: `${settings.service}/api/v1`,
    theme,
    onPaymentRequest: (request) => pay(host, request),
    ...(flow === 'code'
      ? { onGetAuthCode: async () => (await callBackEnd<{ auth_code: string }>('POST', '/sandbox/codes', { reference })).auth_code }
      : { onGetAuthTokens: () => callBackEnd<{ token: string; refresh_token: string }>('POST', '/sandbox/connect', { reference }) }),
  });
  const onMessage = (event: MessageEvent<{ readonly type?: string; readonly handler?: string } | null>): void => {
    if (event.data?.type === 'appboxo-js-sdk') note(messageLeg('host page', event.data.handler ?? 'a message'));
  };
  window.addEventListener('message', onMessage);
  sdk.onAuth(() => consent(host));
  sdk.onLoginComplete(() => note(messageLeg('miniapp page', 'AppBoxoWebAppLogin: token, refresh_token')));
  sdk.onPaymentComplete((_success, result: PaymentResponse) => note(messageLeg('miniapp page', `AppBoxoWebAppPay: ${result.status}`)));
  sdk.onEvent('ticket.shared', async (_type, payload: { readonly text?: string }) => {
    host.showMessage(payload.text ?? 'Shared');
    note(messageLeg('miniapp page', 'AppBoxoWebAppCustomEvent: shared'));
    return { shared: true };
  });
  await sdk.mount({ container });
  const close = (): void => {
    window.removeEventListener('message', onMessage);
    sdk.destroy();
  };
  return { sdk, close };
}

/** Asks the user once; the service stores the consent. Throws where the user refuses, so that the miniapp's login fails. */
async function consent({ settings, reference, promptConsent, note }: MiniappHost): Promise<void> {
  const query = new URLSearchParams({ client_id: settings.client_id, app_id: settings.app_id, user_reference: reference });
  const response = await fetch(`${settings.service}/api/v1/accounts/consent/get_consent/?${query.toString()}`);
  const { is_consented: consented } = (await response.json()) as { is_consented?: boolean };
  if (consented === true || (await promptConsent())) return;
  note(messageLeg('miniapp page', 'AppBoxoWebAppLogin: the user did not agree'));
  throw new Error('The user did not agree');
}

/** Reads the price from the host app's own records, as the page's value cannot be trusted. */
async function pay(host: MiniappHost, request: PaymentRequest): Promise<PaymentResponse> {
  const booked = await callBackEnd<RecordedPayment>('GET', `/sandbox/payments/${encodeURIComponent(request.transactionToken)}`);
  const { payment_status: status, order_payment_id: hostappOrderId } = await host.promptPayment(booked);
  const sdkStatus = { paid: 'success', failed: 'failed', cancelled: 'cancelled', in_process: 'in_process' }[status];
  // The SDK's type has three words, but it passes on any. A payment that is not final has none of the three.
  return { ...request, hostappOrderId, status: sdkStatus as PaymentResponse['status'] };
}

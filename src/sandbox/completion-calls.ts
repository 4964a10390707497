import { memberOf } from './read-body';
import type { PlannedReport } from './pay-sheet';

/** Where and as whom the sandbox host app reports. */
export interface ReportsTo {
  /** Of the service, without a final slash. */
  readonly serviceUrl: string;
  /** The host app's Client ID and Secret key. */
  readonly clientId: string;
  readonly secretKey: string;
}

/** A report of the sandbox host app, and what the service said to it. */
export interface MadeReport {
  readonly payment_status: string;
  /** 0: no answer. */
  readonly status: number;
  readonly ms: number;
  readonly error_code?: string;
}

/** The payment that is reported on. */
export interface ReportedPayment {
  readonly id: string;
  readonly appId: string;
}

export const completeOrderPath = '/api/v1/orders/complete-order/';
const deadlineMs = 20_000;

/** Calls `orders/complete-order` as a host app's back end does. Never throws. */
export async function reportCompletion(
  { serviceUrl, clientId, secretKey }: ReportsTo,
  { payment, report, requestId }: { payment: ReportedPayment; report: PlannedReport; requestId: string | undefined },
): Promise<MadeReport> {
  const { result, failReason } = report;
  const ids = { client_id: clientId, app_id: payment.appId, order_payment_id: payment.id };
  const body = { ...ids, payment_status: result, ...(failReason === undefined ? {} : { payment_fail_reason: failReason }) };
  const headers = {
    Authorization: `Basic ${Buffer.from(`${clientId}:${secretKey}`).toString('base64')}`,
    'Content-Type': 'application/json',
    ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
  };
  const began = performance.now();
  const made = (status: number, code?: unknown): MadeReport => {
    const report = { payment_status: result, status, ms: performance.now() - began };
    return typeof code === 'string' ? { ...report, error_code: code } : report;
  };
  try {
    const sent = {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    } as const;
    const response = await fetch(serviceUrl + completeOrderPath, sent);
    return made(response.status, memberOf(await response.json(), 'error_code'));
  } catch {
    return made(0);
  }
}

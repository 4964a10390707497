import { memberOf } from '../read-body';
import type { PlannedReport } from './pay-sheet';

/** Address and credentials for the sandbox host app's reports. */
export interface ReportsTo {
  /** URL of the service, without a trailing slash. */
  readonly serviceUrl: string;
  /** The host app's Client ID and Secret key. */
  readonly clientId: string;
  readonly secretKey: string;
}

/** A report by the sandbox host app, and the service's answer. */
export interface MadeReport {
  readonly payment_status: string;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly ms: number;
  readonly error_code?: string;
}

/** The payment in a report. */
export interface ReportedPayment {
  readonly id: string;
  readonly appId: string;
}

export const completeOrderPath = '/api/v1/orders/complete-order/';
const deadlineMs = 20_000;

/** Calls `orders/complete-order` like a host app's back end. Never throws. */
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

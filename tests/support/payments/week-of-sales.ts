import { setTimeout as pause } from 'node:timers/promises';
import type { Transaction } from '../../../src/kit/bodies';
import { MiniappCalls } from '../../../src/kit/miniapp-calls';
import { readSecrets } from '../../../src/sandbox/setup/sandbox-secrets';
import { manageOf } from '../dashboard/dashboard-traffic';
import type { TestDatabase } from '../postgres/database';
import type { DevelopmentService } from '../service/development-service';
import { SandboxTraffic } from '../dashboard/seeded-dashboard';

export const soldBy = { client_id: 'host_sandbox00001', app_id: 'app_ferrys' } as const;
/** How many tickets were sold each day, today last: the last seven days begin on the day before. */
const ticketsByDay = [6, 5, 7, 6, 9, 12, 11, 8] as const;
const fares = ['24.50', '12.50', '36.00', '18.75', '49.00'] as const;
const [dayMs, hourMs, minuteMs] = [86_400_000, 3_600_000, 60_000] as const;

interface Sale {
  readonly orderPaymentId: string;
  readonly amount: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * A week of the playground's shop: its payments are made through the service and laid back to their days in the database, then the shop
 * reports them, signed as agreed. Most reports agree with the relayed payments; some differ in the amount, some are missing, and some name
 * a payment that nobody relayed.
 */
export async function makeWeekOfSales(service: DevelopmentService, { db }: Pick<TestDatabase, 'db'>): Promise<void> {
  const traffic = new SandboxTraffic(service);
  const shop = await shopOf(service);
  let n = 0;
  for (const [i, tickets] of ticketsByDay.entries()) {
    const sales: Sale[] = [];
    for (let k = 0; k < tickets; k++) {
      const sale = await sell(traffic, { amount: fares[n++ % fares.length] ?? '24.50', at: timeOf(ticketsByDay.length - 1 - i, k) });
      const laidBack = await db.query(
        'update order_payments set created_at = to_timestamp($1::double precision / 1000) where order_payment_id = $2',
        [sale.at, sale.orderPaymentId],
      );
      if (laidBack === undefined) throw new Error('No such payment');
      sales.push(sale);
    }
    await shop.transactions(soldBy.client_id, reportsOf(sales, i));
  }
}

/** Of yesterday and before, through the day (UTC); today's, one after the other until a few minutes ago. */
function timeOf(daysAgo: number, k: number): number {
  const now = Date.now();
  if (daysAgo === 0) return now - (10 - k) * minuteMs;
  return (Math.floor(now / dayMs) - daysAgo) * dayMs + 8 * hourMs + k * 53 * minuteMs;
}

async function sell(traffic: SandboxTraffic, { amount, at }: Pick<Sale, 'amount' | 'at'>): Promise<Sale> {
  const orderPaymentId = await traffic.open(amount);
  await traffic.pay(orderPaymentId);
  while ((await traffic.payment(orderPaymentId)).status === 'in_process') await pause(20);
  return { orderPaymentId, amount, at };
}

/** The first three days agree; then one sale is forgotten each second day, one has another amount, and one was sold past the relay. */
function reportsOf(sales: readonly Sale[], day: number): Transaction[] {
  const reported = sales.filter((_, k) => !(day >= 3 && day % 2 === 1 && k === 1));
  const reports = reported.map(({ orderPaymentId, amount, at }, k) => {
    const isDearer = day >= 4 && k === 3;
    return report(
      `ticket-${String(day + 1)}${String(k).padStart(2, '0')}`,
      orderPaymentId,
      isDearer ? (Number(amount) + 2).toFixed(2) : amount,
      at,
    );
  });
  const last = sales.at(-1);
  if (day === 5 && last) reports.push(report('ticket-599', 'pay_counter_0041', '24.50', last.at));
  return reports;
}

const report = (transactionId: string, orderPaymentId: string, amount: string, at: number): Transaction => ({
  transaction_id: transactionId,
  order_payment_id: orderPaymentId,
  amount,
  currency: 'USD',
  occurred_at: new Date(at).toISOString(),
});

/** The shop's calls, signed with the secret that the sandbox has agreed on. */
async function shopOf(service: DevelopmentService): Promise<MiniappCalls> {
  const { shopSecretKey = '', shopHmacSecret } = await readSecrets(service.secretsFile);
  const { signature } = (await manageOf(service, 'GET', `miniapps/${soldBy.app_id}`)) as { signature: { api_client_id: string } };
  return new MiniappCalls({
    ...{ baseUrl: service.url, appId: soldBy.app_id, secretKey: shopSecretKey },
    signature: { algorithm: 'HMAC', hmac_secret: shopHmacSecret, api_client_id: signature.api_client_id },
  });
}

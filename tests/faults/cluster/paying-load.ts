import { randomUUID } from 'node:crypto';
import { aPairOver, type Pair } from '../../support/signatures/a-pair';
import { Load } from '../../support/load';
import { operatorToken, until } from '../../support/service/service';
import { startServiceProcess, type ServiceProcess } from '../../support/service/service-process';
import { StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import type { OwnPostgres } from './own-postgres';

/** How one call was answered; status 0: not at all. */
export interface Answer {
  readonly call: 'create-order-payment' | 'complete-order';
  readonly requestId: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: {
    readonly order_payment_id?: string;
    readonly error_code?: string;
    readonly payment_status?: string;
    readonly custom_attributes?: { readonly cause?: string };
  };
  /** When it came, as `performance.now`, and how long it took, in milliseconds. */
  readonly at: number;
  readonly ms: number;
}

/** A completion's claim outlives its attempt by five seconds: an attempt under way in a fault is repeated soon after. */
const deliveryTimeoutMs = 1000;
/** A miniapp that a busy machine has made late five times is probed again 25 seconds later, and its queue then released. */
const drainedWithinMs = 60_000;

/** A service in a process of its own, a pair behind it, and the payments that are made and completed there. */
export class PayingLoad {
  readonly answers: Answer[] = [];
  /** Payments whose completion was answered with 200. */
  readonly acknowledged = new Set<string>();
  /** Payments that were made, and not completed yet as far as the driver knows. */
  private readonly open: string[] = [];
  private load: Load | undefined;

  private constructor(
    private readonly parties: { service: ServiceProcess; hostApp: StubPayingHostApp; miniapp: StubMiniapp; pair: Pair },
  ) {}

  /** Without a URL the service has the embedded database, in the `DATA_DIR` of `env`. */
  static async over(databaseUrl: string | undefined, env: Readonly<Record<string, string>> = {}): Promise<PayingLoad> {
    const [hostApp, miniapp] = [await new StubPayingHostApp().start(), await new StubMiniapp().start()];
    miniapp.on('/webhook', (_received, response) => void response.end());
    const service = await startServiceProcess({
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      DELIVERY_TIMEOUT_MS: String(deliveryTimeoutMs),
      ...env,
    });
    const pair = await aPairOver(service.url, {
      miniappUrl: miniapp.url,
      hostApp: hostApp.paymentUrls,
      miniapp: { webhook_url: `${miniapp.url}/webhook`, ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8', '::1'] } },
    });
    return new PayingLoad({ service, hostApp, miniapp, pair });
  }

  /** Makes and completes payments from now on, each in turn; a completion that was not acknowledged is reported again. */
  begin(perSecond: number): void {
    const create = async (): Promise<undefined> => {
      await this.create();
    };
    const complete = async (): Promise<undefined> => {
      const id = this.open.shift();
      if (id !== undefined && (await this.complete(id)).status !== 200) this.open.push(id);
      else if (id === undefined) await this.create();
    };
    this.load = new Load(
      () => [
        ['create', create],
        ['complete', complete],
      ],
      perSecond,
    );
  }

  /** Makes no further call; resolves when all are answered. */
  async end(): Promise<void> {
    await this.load?.stop();
    this.load = undefined;
  }

  /** Makes a payment; resolves to its id where that was answered. */
  async create(): Promise<string | undefined> {
    const { status, body } = await this.post('create-order-payment', { order: { currency: 'USD', amount: '1.10' } });
    if (status !== 200 || body.order_payment_id === undefined) return undefined;
    this.open.push(body.order_payment_id);
    return body.order_payment_id;
  }

  async complete(id: string): Promise<Answer> {
    const answer = await this.post('complete-order', { order_payment_id: id, payment_status: 'paid', custom_attributes: { id } });
    if (answer.status === 200) this.acknowledged.add(id);
    return answer;
  }

  /** Signs a user on; resolves to the status and how long it took, in milliseconds. */
  connect(reference: string): Promise<Timed> {
    const { service, pair } = this.parties;
    const body = JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, user_data: { reference } });
    const headers = { ...pair.basic, 'Content-Type': 'application/json' };
    return timed(`${service.url}/api/v1/connect/`, { method: 'POST', headers, body });
  }

  /** What the operator reads of a path of the service. */
  read(path: string): Promise<Timed> {
    return timed(`${this.parties.service.url}${path}`, { headers: { Authorization: `Bearer ${operatorToken}` } });
  }

  /** The first answer with 200 that came after a moment (as `performance.now`), within the time; at once where it came already. */
  async okAfter(moment: number, withinMs = 20_000): Promise<Answer> {
    const giveUpAt = performance.now() + withinMs;
    for (;;) {
      const ok = this.answers.find(({ at, status }) => at >= moment && status === 200);
      if (ok) return ok;
      if (performance.now() > giveUpAt) throw new Error(`No call was answered with 200 within ${String(withinMs)} ms`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** How many calls were answered with a status; 0: not at all. */
  statuses(): Record<string, number> {
    const counted: Record<string, number> = {};
    for (const { status } of this.answers) counted[`http_${String(status)}`] = (counted[`http_${String(status)}`] ?? 0) + 1;
    return counted;
  }

  /** Answers that no caller should get while the database is away: neither 200 nor a clear word to come again. */
  unclear(): Answer[] {
    return this.answers.filter((answer) => !isClear(answer));
  }

  /** What became of the completions, once no delivery is pending any more. */
  async tally(database: Pick<OwnPostgres, 'query'>): Promise<Record<string, number>> {
    const pending = async (): Promise<number> =>
      Number((await database.query<{ n: string }>(`select count(*) as n from deliveries where state = 'ready'`))[0]?.n);
    const giveUpAt = performance.now() + drainedWithinMs;
    while ((await pending()) > 0 && performance.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 50));
    const paid = await database.query<{ id: string }>(`select order_payment_id as id from order_payments where status = 'paid'`);
    const rows = new Set(paid.map(({ id }) => id));
    const bodiesByKey = this.bodiesByKey();
    const repeated = [...bodiesByKey.values()].filter((all) => all.length > 1);
    return {
      acknowledged: this.acknowledged.size,
      withoutRow: [...this.acknowledged].filter((id) => !rows.has(id)).length,
      lost: [...this.acknowledged].filter((id) => !bodiesByKey.has(id)).length,
      invented: [...bodiesByKey.keys()].filter((id) => !rows.has(id)).length,
      repeated: repeated.length,
      altered: repeated.filter((all) => new Set(all).size > 1).length,
      stillPending: await pending(),
    };
  }

  /** Relays that were answered with 200 and left no record; written at the latest some seconds after the database is back. */
  async unrecorded(database: OwnPostgres): Promise<number> {
    const count = async (): Promise<number> => {
      const rows = await database.query<{ id: string }>('select request_id as id from exchanges');
      const recorded = new Set(rows.map(({ id }) => id));
      return this.answers.filter(({ status, requestId }) => status === 200 && !recorded.has(requestId)).length;
    };
    return until(count, (count) => count === 0).catch(count);
  }

  /** Ends the service, which must have lived through everything, and the partners. */
  async close(): Promise<void> {
    await this.end();
    const { service, hostApp, miniapp } = this.parties;
    const code = await service.end('SIGTERM').finally(() => Promise.all([hostApp.stop(), miniapp.stop()]));
    if (code !== 0) throw new Error(`The service ended with ${String(code)}`);
  }

  /** Each `webhook-id` and body that the miniapp was sent, by payment. */
  private bodiesByKey(): Map<string, string[]> {
    const bodiesByKey = new Map<string, string[]>();
    for (const { headers, body } of this.parties.miniapp.at('/webhook')) {
      const { order_payment_id: id } = JSON.parse(body.toString()) as { order_payment_id: string };
      bodiesByKey.set(id, [...(bodiesByKey.get(id) ?? []), `${String(headers['webhook-id'])} ${body.toString()}`]);
    }
    return bodiesByKey;
  }

  private async post(call: Answer['call'], members: object): Promise<Answer> {
    const { service, pair } = this.parties;
    const requestId = randomUUID();
    const startedAt = performance.now();
    const answered = (parts: Pick<Answer, 'status' | 'retryAfter' | 'body'>): Answer => {
      const at = performance.now();
      const answer = { call, requestId, at, ms: at - startedAt, ...parts };
      this.answers.push(answer);
      return answer;
    };
    try {
      const reply = await fetch(`${service.url}/api/v1/orders/${call}/`, {
        method: 'POST',
        headers: { ...pair.basic, 'Content-Type': 'application/json', 'X-Request-Id': requestId },
        body: JSON.stringify({ client_id: pair.clientId, app_id: pair.appId, ...members }),
      });
      return answered({ status: reply.status, retryAfter: reply.headers.get('retry-after'), body: (await reply.json()) as Answer['body'] });
    } catch {
      return answered({ status: 0, retryAfter: null, body: {} });
    }
  }
}

/** An answer and the milliseconds that it took. */
export interface Timed {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
  readonly ms: number;
}

async function timed(url: string, init: RequestInit): Promise<Timed> {
  const startedAt = performance.now();
  try {
    const reply = await fetch(url, init);
    const text = await reply.text();
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), text, ms: performance.now() - startedAt };
  } catch {
    return { status: 0, retryAfter: null, text: '', ms: performance.now() - startedAt };
  }
}

/** A creation whose host app has answered may not be repeated blindly: there 500 with `outcome: unknown` is the clear word. */
function isClear({ call, status, retryAfter, body }: Answer): boolean {
  if (status === 200) return true;
  if (status === 503) return body.error_code === 'SERVICE_UNAVAILABLE' && retryAfter !== null;
  return call === 'create-order-payment' && status === 500 && body.error_code === 'UNKNOWN_ERROR';
}

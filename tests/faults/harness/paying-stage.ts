import { aPairOver, type Pair, type PairSettings } from '../../support/signatures/a-pair';
import { openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { StubMiniapp } from '../../support/partners/stub-sign-on';
import { type StubPayingHostApp } from '../../support/partners/stub-payments';
import { json, type Behaviour } from '../../support/partners/stub-behaviours';
import { Driver, inQueues, type Operation } from './driver';
import { Instances } from './instances';

export interface StageOptions<HostApp extends StubPayingHostApp> {
  readonly processes: number;
  readonly hostApp: HostApp;
  readonly settings?: PairSettings;
  /** How the miniapp meets a webhook. */
  readonly webhook?: Behaviour;
  readonly env?: Readonly<Record<string, string>>;
  /** A new one on the Postgres of this run, unless given. */
  readonly database?: TestDatabase;
  /** The build that serves; today's, unless given. */
  readonly build?: string;
}

export interface StageCall {
  /** After `/api/v1/`. */
  readonly path: string;
  /** What it is about. */
  readonly key: string;
  /** JSON text, without the braces and the two ids. */
  readonly members: string;
  /** Which process: they are called in turn. */
  readonly turn: number;
  /** What stands before the processes and is called instead. */
  readonly front?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the stage's own. */
  readonly pair?: Pair;
}

/** A pair of partners that pays over processes of its own, and a driver that calls them. */
export class PayingStage<HostApp extends StubPayingHostApp = StubPayingHostApp> {
  readonly driver = new Driver();

  private constructor(
    readonly database: TestDatabase,
    readonly instances: Instances,
    readonly hostApp: HostApp,
    readonly miniapp: StubMiniapp,
    readonly pair: Pair,
  ) {}

  static async open<HostApp extends StubPayingHostApp>(options: StageOptions<HostApp>): Promise<PayingStage<HostApp>> {
    const { processes, settings = {}, webhook = json({}), env, build } = options;
    const database = options.database ?? (await openTestDatabase('postgres'));
    const hostApp = await options.hostApp.start();
    const miniapp = await new StubMiniapp().on('/webhook', webhook).start();
    const instances = await Instances.start(database, processes, env, build);
    const pair = await aPairOver(instances.by(0).url, {
      hostAppUrl: hostApp.url,
      miniappUrl: miniapp.url,
      ...settings,
      hostApp: { ...hostApp.paymentUrls, ...settings.hostApp },
      miniapp: {
        ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] },
        webhook_url: `${miniapp.url}/webhook`,
        events_bridge_url: `${miniapp.url}/events`,
        ...settings.miniapp,
      },
    });
    return new PayingStage(database, instances, hostApp, miniapp, pair);
  }

  /** The exit codes of the processes. */
  async close(): Promise<(number | null)[]> {
    this.driver.close();
    const codes = await this.instances.stop();
    await Promise.all([this.hostApp.stop(), this.miniapp.stop()]);
    await this.database.close();
    return codes;
  }

  /** A call of either partner, to one of the processes. */
  call({ path, key, members, turn, front, headers = {}, pair = this.pair }: StageCall): Promise<Operation> {
    return this.driver.call({
      name: path,
      key,
      url: `${front ?? this.instances.by(turn).url}/api/v1/${path}/`,
      headers: { ...pair.basic, 'X-Request-Id': 'r', ...headers },
      body: `{"client_id":"${pair.clientId}","app_id":"${pair.appId}",${members}}`,
    });
  }

  /** The ids of so many new payments. */
  created(count: number): Promise<string[]> {
    const members = '"order":{"currency":"USD","amount":"1.10"}';
    return inQueues(count, 32, async (turn) => {
      const { text } = await this.call({ path: 'orders/create-order-payment', key: String(turn), members, turn });
      return idIn(text);
    });
  }

  async rows(of: string): Promise<number> {
    const [found] = await this.database.db.query<{ n: number }[]>(`select count(*)::int as n from ${of}`);
    return found?.n ?? -1;
  }

  /** The webhooks of each payment: its status, once for each webhook. */
  webhooks(): Map<string, string[]> {
    const byPayment = new Map<string, string[]>();
    for (const { body } of this.miniapp.at('/webhook')) {
      const { order_payment_id: id, payment_status: word } = JSON.parse(body.toString('utf8')) as Record<string, string>;
      if (id !== undefined && word !== undefined) byPayment.set(id, [...(byPayment.get(id) ?? []), word]);
    }
    return byPayment;
  }
}

/** The `order_payment_id` of an answer. */
export function idIn(text: string): string {
  const id = /"order_payment_id":"([^"]+)"/.exec(text)?.[1];
  if (id === undefined) throw new Error(`No payment in ${text}`);
  return id;
}

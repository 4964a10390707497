import type { Context } from './context';
import type { KnownPair } from './pairs';

interface Delivery {
  readonly id: string;
  readonly body: string;
}

const everyMs = 1000;
const atOnce = 64;

const delivered = { name: 'delivered', text: 'update tuned.deliveries set delivered = true, attempts = attempts + 1 where id = $1' };

/** Claims due deliveries, for as long as the next attempt may wait: longer after each. */
const claim = {
  name: 'claim-deliveries',
  text: `
    update tuned.deliveries set attempts = attempts + 1, due_at = now() + least(power(2, attempts) * 30, 36000) * interval '1 second'
    where id in (
      select id from tuned.deliveries where not delivered and due_at <= now() order by due_at limit $1 for update skip locked)
    returning id, client_id, app_id, body`,
};

/** Webhooks: each is attempted at once by the process that stored it, and later as long as it is not delivered. */
export class Deliveries {
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly context: Context) {
    // What cannot be claimed now is claimed a second later.
    this.timer = setInterval(() => void this.attemptDue().catch(() => undefined), everyMs);
  }

  /** Resolves in any case: what fails is due again. */
  async attempt(pair: KnownPair, { id, body }: Delivery): Promise<void> {
    const { partners, db } = this.context;
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    try {
      await partners.callMiniapp(pair, '/webhook', body, headers);
      await db.query({ ...delivered, values: [id] });
    } catch {
      // Its row says that it is not delivered.
    }
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async attemptDue(): Promise<void> {
    type Row = Delivery & { client_id: string; app_id: string };
    const { rows } = await this.context.db.query<Row>({ ...claim, values: [atOnce] });
    await Promise.all(rows.map((row) => this.attempt(this.context.pairs.require(row), row)));
  }
}

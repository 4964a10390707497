import type { DataSource } from 'typeorm';
import type { PaymentIntent } from '../../../../domain/payments/order-payment';
import { plainDecimal } from '../../../../domain/shared/decimal';
import { JsonNumber } from '../../../../domain/shared/json';
import { requireIds } from '../../../../domain/shared/required-id';
import { columnParameters, type ArrayValue } from '../connection/array-parameters';
import { GroupedStatements } from '../connection/grouped-statements';
import { orderText, summaryText } from './payment.schema';
import { nameOf, type PaymentSeals } from './payment-seals';
import { endIntent, intendTypes, intendPayments, openPayments } from './payment-statements';
import { userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { run } from '../connection/statement';

/** The maximum number of intents, each with a sealed order, that one statement stores. */
const maxIntents = 32;
/** The maximum number of payments that one statement opens. */
const maxOpenings = 64;

interface Deps {
  readonly db: DataSource;
  readonly seals: PaymentSeals;
  readonly index: ReferenceIndex;
}

export type IntentId = Pick<PaymentIntent, 'id' | 'integrationId'>;
type Opening = IntentId & { readonly orderPaymentId: string };

/** Records the begin and end of payment creations. Concurrent ones share one statement. */
export class PaymentCreations {
  private readonly intents = new GroupedStatements<readonly ArrayValue[], void>({
    maxGroupSize: maxIntents,
    run: (rows) => this.intendAll(rows),
  });
  private readonly openings = new GroupedStatements<Opening, boolean>({
    maxGroupSize: maxOpenings,
    run: (openings) => this.openAll(openings),
    nameOf,
  });

  constructor(private readonly deps: Deps) {}

  /** Resolves when the intent is committed. Throws when its id exists. */
  async intend(intent: PaymentIntent): Promise<void> {
    const { id, integrationId, clientId } = intent;
    requireIds({ id, integrationId, clientId });
    await this.intents.add(await this.rowOf(intent));
  }

  /**
   * Binds the intent to the host app's id. False: it needs a transaction, because the id already has a payment or a completion, or the
   * intent is no longer open.
   */
  open(opening: Opening): Promise<boolean> {
    return this.openings.add(opening);
  }

  /** Ends the intent. Throws when there is no such intent, or it has an id already. */
  async giveUp({ id, integrationId }: IntentId, how: 'refused' | 'unanswered'): Promise<void> {
    requireIds({ id, integrationId });
    requireEnded(await run(this.deps.db, endIntent, [id, integrationId, how]));
  }

  private async rowOf({ id, integrationId, clientId, order, at, firstPollAt }: PaymentIntent): Promise<ArrayValue[]> {
    const { seals, index } = this.deps;
    const { currency, amount, hostappUserId } = order.fields;
    const user = [seals.user(id, hostappUserId), hostappUserId ? userDigest(index, { clientId, reference: hostappUserId }) : null];
    const compared = [currency, plainDecimal(new JsonNumber(amount)) ?? null];
    const plan = firstPollAt === undefined ? [null, null] : [clientId, new Date(firstPollAt)];
    const sealed = [seals.order(id, await orderText(order)), seals.summary(id, summaryText(order))];
    return [id, integrationId, ...sealed, ...user, new Date(at), ...compared, ...plan];
  }

  private async intendAll(rows: readonly (readonly ArrayValue[])[]): Promise<undefined[]> {
    await run(this.deps.db, intendPayments, columnParameters(intendTypes, rows));
    return rows.map(() => undefined);
  }

  private async openAll(openings: readonly Opening[]): Promise<boolean[]> {
    const rows = openings.map(({ id, integrationId, orderPaymentId }) => [id, integrationId, orderPaymentId]);
    const opened = await run<{ id: string }>(this.deps.db, openPayments, [
      ...columnParameters(['text', 'text', 'text'], rows),
      rows.length,
    ]);
    const ids = new Set(opened.map(({ id }) => id));
    return openings.map(({ id }) => ids.has(id));
  }
}

/** Throws when the statement ended no intent. */
export function requireEnded(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new Error('This payment was never intended, or has an id already');
}

import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { JsonObject, type Json } from '../../../../domain/shared/json';
import { readInTurns } from '../../../json/in-turns';
import { objectPieces } from '../../../json/object-pieces';
import type { UserKey } from '../../../../domain/sso/user-data';
import { maxExported } from '../../../../domain/sso/user-record-repository';
import type { ConsentEntryRow } from './consent.schema';
import { completionSealContext } from '../payments/payment-seals';
import { orderSealContext, type OrderPaymentRow } from '../payments/payment.schema';
import { reportSealContext } from '../analytics/postgres-transaction-repository';
import { userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { arrayParameter } from '../connection/array-parameters';
import { run, type Statement } from '../connection/statement';
import type { TransactionRow } from '../analytics/transaction.schema';
import * as statements from './user-record-statements';
import { userSealContexts, type UserRow } from './user.schema';

interface Deps {
  readonly db: DataSource;
  readonly box: SecretCipher;
  readonly index: ReferenceIndex;
}

type PaymentRow = Pick<OrderPaymentRow, 'id' | 'order_payment_id' | 'status' | 'sealed_order' | 'completion' | 'created_at' | 'settled_at'>;
type ReportRow = Pick<TransactionRow, 'id' | 'sealed_report' | 'at'>;
type EntryRow = Pick<ConsentEntryRow, 'granted' | 'fields' | 'text_version' | 'call' | 'at'> & { app_id: string | null };

const textOf = (at: Date | null | undefined): string | undefined => at?.toISOString();

/** The number of rows, each with an order or a report, that are in memory at once. */
const rowsAtOnce = 20;

/**
 * All stored data of a user except secrets, as pieces of JSON text; `undefined` when there is none. Shows that tokens exist, never their
 * values. Only ids are read at once: the rows of many orders are read while the text is taken.
 */
export async function exportOf({ db, box, index }: Deps, key: UserKey): Promise<AsyncIterable<string> | undefined> {
  const { clientId, reference } = key;
  const digest = userDigest(index, key);
  const [user] = await run<Pick<UserRow, 'data' | 'created_at' | 'updated_at'>>(db, statements.userData, [clientId, digest]);
  const [token] = await run<{ updated_at: Date }>(db, statements.tokensOf, [clientId, digest]);
  const entries = await RowsOfUser.find<EntryRow>(db, statements.consentEntries, digest);
  const payments = await RowsOfUser.find<PaymentRow>(db, statements.payments, digest);
  const reports = await RowsOfUser.find<ReportRow>(db, statements.reports, digest);
  if (!user && !token && entries.count + payments.count + reports.count === 0) return undefined;
  return objectPieces({
    client_id: clientId,
    reference,
    first_sign_on_at: textOf(user?.created_at),
    last_sign_on_at: textOf(user?.updated_at),
    user_data: user && (await readInTurns(box.open(user.data, userSealContexts(clientId, digest).data))),
    tokens: JsonObject.of({ stored: token !== undefined, stored_at: textOf(token?.updated_at) }),
    consent_entries: entries.shown(entryView),
    payments: payments.shown((row) => paymentView(box, row)),
    reported_transactions: reports.shown((row) => reportView(box, row)),
    is_cut: () => [entries, payments, reports].some(({ isCut }) => isCut),
  });
}

/** Rows of a user, found by their ids and read a few at a time. */
class RowsOfUser<Row extends object> {
  private shownCount = 0;

  private constructor(
    private readonly db: DataSource,
    private readonly statement: Statement,
    private readonly digest: Buffer,
    private readonly ids: readonly string[],
  ) {}

  static async find<Row extends object>(db: DataSource, { ids, rows }: statements.ExportedRows, digest: Buffer): Promise<RowsOfUser<Row>> {
    const found = await run<{ id: string }>(db, ids, [digest]);
    return new RowsOfUser(
      db,
      rows,
      digest,
      found.map(({ id }) => id),
    );
  }

  get count(): number {
    return this.ids.length;
  }

  /** Whether the user has more rows, or lost some while the others were shown: they were erased, or became too old. */
  get isCut(): boolean {
    return this.count === maxExported || this.shownCount < this.count;
  }

  async *shown(view: (row: Row) => Json | Promise<Json>): AsyncGenerator<Json> {
    for (let at = 0; at < this.ids.length; at += rowsAtOnce) {
      const ids = arrayParameter('text', this.ids.slice(at, at + rowsAtOnce));
      for (const row of await run<Row>(this.db, this.statement, [this.digest, ids])) {
        this.shownCount += 1;
        yield view(row);
      }
    }
  }
}

const entryView = ({ granted, fields, text_version: version, call, at, app_id: appId }: EntryRow): JsonObject =>
  JsonObject.of({
    ...{ app_id: appId ?? undefined, granted, fields: fields ?? undefined, text_version: version ?? undefined, call, at: textOf(at) },
  });

const reportView = async (box: SecretCipher, { id, at, sealed_report: sealed }: ReportRow): Promise<JsonObject> =>
  JsonObject.of({ id, at: textOf(at), report: await readInTurns(box.open(sealed, reportSealContext(id))) });

const paymentView = async (box: SecretCipher, row: PaymentRow): Promise<JsonObject> =>
  JsonObject.of({
    ...{ id: row.id, order_payment_id: row.order_payment_id ?? undefined, status: row.status },
    ...{ created_at: textOf(row.created_at), settled_at: textOf(row.settled_at) },
    order: await readInTurns(box.open(row.sealed_order, orderSealContext(row.id))),
    report: row.completion ? await readInTurns(box.open(row.completion, completionSealContext(row.id))) : undefined,
  });

import type { DataSource } from 'typeorm';
import type { SecretCipher } from '../../../../domain/credentials/ports';
import { JsonObject } from '../../../../domain/shared/json';
import { mapInTurns, readInTurns } from '../../../json/in-turns';
import type { UserKey } from '../../../../domain/sso/user-data';
import { maxExported } from '../../../../domain/sso/user-record-repository';
import type { ConsentEntryRow } from './consent.schema';
import { completionSealContext } from '../payments/payment-seals';
import { orderSealContext, type OrderPaymentRow } from '../payments/payment.schema';
import { reportSealContext } from '../analytics/postgres-transaction-repository';
import { userDigest, type ReferenceIndex } from '../sealing/reference-index';
import { run } from '../connection/statement';
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

/** All stored data of a user except secrets, as JSON; `undefined` when there is none. Shows that tokens exist, never their values. */
export async function exportOf({ db, box, index }: Deps, key: UserKey): Promise<JsonObject | undefined> {
  const { clientId, reference } = key;
  const digest = userDigest(index, key);
  const [user] = await run<Pick<UserRow, 'data' | 'created_at' | 'updated_at'>>(db, statements.userData, [clientId, digest]);
  const [token] = await run<{ updated_at: Date }>(db, statements.tokensOf, [clientId, digest]);
  const entries = await run<EntryRow>(db, statements.consentEntries, [digest]);
  const payments = await run<PaymentRow>(db, statements.payments, [digest]);
  const reports = await run<ReportRow>(db, statements.reports, [digest]);
  if (!user && !token && entries.length + payments.length + reports.length === 0) return undefined;
  return JsonObject.of({
    client_id: clientId,
    reference,
    first_sign_on_at: textOf(user?.created_at),
    last_sign_on_at: textOf(user?.updated_at),
    user_data: user && (await readInTurns(box.open(user.data, userSealContexts(clientId, digest).data))),
    tokens: JsonObject.of({ stored: token !== undefined, stored_at: textOf(token?.updated_at) }),
    consent_entries: entries.map(entryView),
    payments: await mapInTurns(payments, (row) => paymentView(box, row)),
    reported_transactions: await mapInTurns(reports, (row) => reportView(box, row)),
    is_cut: [entries, payments, reports].some(({ length }) => length === maxExported),
  });
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

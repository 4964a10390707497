import type { DataSource } from 'typeorm';
import type { SecretBox } from '../../../domain/credentials/ports';
import { JsonObject, readJson } from '../../../domain/shared/json';
import type { UserKey } from '../../../domain/sso/ports';
import { mostExported } from '../../../domain/sso/user-book';
import type { ConsentLedgerRow } from './consent.schema';
import { completionPlace } from './payment-seals';
import { orderPlace, type OrderPaymentRow } from './payment.schema';
import { reportPlace } from './postgres-transaction-ledger';
import { paymentUserDigest, reportUserDigest, type ReferenceIndex } from './reference-index';
import { userDigest } from './sign-on-statements';
import { run } from './statement';
import type { TransactionRow } from './transaction.schema';
import * as statements from './user-book-statements';
import { integrationsOf } from './erasure-statements';
import { placesOf, type UserRow } from './user.schema';

interface Deps {
  readonly db: DataSource;
  readonly box: SecretBox;
  readonly index: ReferenceIndex;
}

type PaymentRow = Pick<OrderPaymentRow, 'id' | 'order_payment_id' | 'status' | 'sealed_order' | 'completion' | 'created_at' | 'settled_at'>;
type EntryRow = Pick<ConsentLedgerRow, 'granted' | 'fields' | 'text_version' | 'call' | 'at'> & { app_id: string | null };

const textOf = (at: Date | null | undefined): string | undefined => at?.toISOString();

/** Everything that is stored of a user but secrets, as JSON; `undefined`: nothing is. Tokens are mentioned, and never shown. */
export async function exportOf({ db, box, index }: Deps, { clientId, reference }: UserKey): Promise<JsonObject | undefined> {
  const digest = userDigest(index, clientId, reference);
  const integrations = (await run<{ id: string }>(db, integrationsOf, [clientId])).map(({ id }) => id);
  const [user] = await run<Pick<UserRow, 'data' | 'created_at' | 'updated_at'>>(db, statements.userData, [clientId, digest]);
  const [token] = await run<{ updated_at: Date }>(db, statements.tokensOf, [clientId, digest]);
  const consents = integrations.map((id) => index.digest('consent', id, reference));
  const entries = await run<EntryRow>(db, statements.consentEntries, [integrations, consents]);
  const paid = integrations.map((id) => paymentUserDigest(index, id, reference));
  const payments = await run<PaymentRow>(db, statements.payments, [paid]);
  const reports = await run<Pick<TransactionRow, 'id' | 'sealed_report' | 'at'>>(db, statements.reports, [
    reportUserDigest(index, clientId, reference),
  ]);
  if (!user && !token && entries.length + payments.length + reports.length === 0) return undefined;
  return JsonObject.of({
    client_id: clientId,
    reference,
    first_sign_on_at: textOf(user?.created_at),
    last_sign_on_at: textOf(user?.updated_at),
    user_data: user && readJson(box.open(user.data, placesOf(clientId, digest).data)),
    tokens: JsonObject.of({ stored: token !== undefined, stored_at: textOf(token?.updated_at) }),
    consent_entries: entries.map(entryView),
    payments: payments.map((row) => paymentView(box, row)),
    reported_transactions: reports.map((row) =>
      JsonObject.of({ id: row.id, at: textOf(row.at), report: readJson(box.open(row.sealed_report, reportPlace(row.id))) }),
    ),
    is_cut: [entries, payments, reports].some(({ length }) => length === mostExported),
  });
}

const entryView = ({ granted, fields, text_version: version, call, at, app_id: appId }: EntryRow): JsonObject =>
  JsonObject.of({
    ...{ app_id: appId ?? undefined, granted, fields: fields ?? undefined, text_version: version ?? undefined, call, at: textOf(at) },
  });

const paymentView = (box: SecretBox, row: PaymentRow): JsonObject =>
  JsonObject.of({
    ...{ id: row.id, order_payment_id: row.order_payment_id ?? undefined, status: row.status },
    ...{ created_at: textOf(row.created_at), settled_at: textOf(row.settled_at) },
    order: readJson(box.open(row.sealed_order, orderPlace(row.id))),
    report: row.completion ? readJson(box.open(row.completion, completionPlace(row.id))) : undefined,
  });

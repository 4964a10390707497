import type { Statement } from '../connection/statement';

/** The maximum number of payments or reports in one transaction. */
export const erasedAtOnce = 100;

const statement = (name: string, text: string): Statement => ({ name: `erasure.${name}`, text });

export const paymentsOf = statement(
  'payments',
  `select id, integration_id, order_payment_id, sealed_order, completion from order_payments
   where user_digest = $1 order by id limit ${String(erasedAtOnce)} for update`,
);

export const stripPayment = statement(
  'strip-payment',
  `update order_payments set sealed_order = $2, completion = $3, user_reference = null, user_digest = null, erased_at = now() where id = $1`,
);

export const conflictsOf = statement(
  'conflicts',
  'select report_digest, completion from payment_conflicts where integration_id = $1 and order_payment_id = $2 for update',
);

export const stripConflict = statement(
  'strip-conflict',
  'update payment_conflicts set completion = $4 where integration_id = $1 and order_payment_id = $2 and report_digest = $3',
);

/** Removes the delivery of a payment, which has the payment's id. A pending one is marked, an ended one is deleted. */
export const removeDelivery = statement(
  'delivery',
  `with present as (select id, state from deliveries where id = $1 for update),
   gone as (delete from deliveries d using present p where d.id = p.id and p.state <> 'ready' returning d.id),
   attempts as (delete from delivery_attempts a using gone where a.delivery_id = gone.id),
   marked as (insert into erased_deliveries select id from present where state = 'ready' on conflict do nothing)
   select state = 'ready' as pending from present`,
);

const report = 'id, sealed_report';

export const reportsOfPayment = statement(
  'reports-of-payment',
  `select ${report} from miniapp_transactions where integration_id = $1 and order_payment_id = $2 for update`,
);

export const reportsOf = statement(
  'reports',
  `select ${report} from miniapp_transactions where user_digest = $1 order by id limit ${String(erasedAtOnce)} for update`,
);

export const stripReport = statement(
  'strip-report',
  'update miniapp_transactions set sealed_report = $2, user_digest = null where id = $1',
);

const byUser = 'where client_id = $1 and reference_digest = $2';

export const removeTokens = statement('tokens', `delete from user_tokens ${byUser} returning 1`);
export const removeUser = statement('user', `delete from users ${byUser} returning 1`);
export const removeConsents = statement('consents', `delete from consents where reference_digest = $1 returning 1`);
export const removeConsentEntries = statement('consent-entries', `delete from consent_entries where reference_digest = $1 returning 1`);

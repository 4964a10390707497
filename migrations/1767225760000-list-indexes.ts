import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As in audit-entry.schema.ts: the partner of an entry. A migration keeps its words, whatever becomes of that file. */
const partnerIn = (ofPartner: string, ofIntegration: string, lane: string): string =>
  `(case split_part(subject, ':', 1) when '${ofPartner}' then split_part(subject, ':', 2) when 'integration' then ${ofIntegration} ` +
  `when 'delivery-lane' then case split_part(subject, ':', 2) when '${lane}' then split_part(subject, ':', 3) end end)`;
const hostApp = partnerIn('host-app', `split_part(split_part(subject, ':', 2), '/', 1)`, 'hostapp');
const miniapp = partnerIn('miniapp', `case when subject not like 'integration:/%' then split_part(subject, '/', 2) end`, 'miniapp');

/** What lists are narrowed to and sorted by. `unique`: of rows. */
const added = {
  audit_log_by_host_app: `audit_log (${hostApp}, at) where ${hostApp} is not null`,
  audit_log_by_miniapp: `audit_log (${miniapp}, at) where ${miniapp} is not null`,
  deliveries_events: `deliveries (created_at) where kind = 'event'`,
  deliveries_failed: `deliveries (created_at) where state = 'failed'`,
  evidence_links_by_time: 'evidence_links (created_at, id)',
  evidence_links_by_host_app: 'evidence_links (client_id, created_at, id)',
  evidence_links_by_miniapp: 'evidence_links (app_id, created_at, id)',
  long_runs_of_kind: 'long_runs (kind, id)',
  order_payments_not_paid: `order_payments (status, created_at, id) where status in ('failed', 'cancelled')`,
  order_payments_not_opened: `order_payments (creation, created_at, id) where creation in ('refused', 'repeated')`,
  partner_credentials_ending: 'partner_credentials (valid_until) where valid_until is not null',
  payment_completions_early_unmatched: 'payment_completions_early (at) where unmatched_since is not null',
  payment_completions_early_of_payment: 'payment_completions_early (order_payment_id) where unmatched_since is not null',
  payment_conflicts_open: `payment_conflicts (integration_id, order_payment_id) where kind = 'conflict' and resolved_at is null`,
  miniapp_transactions_of_host_app: 'miniapp_transactions (client_id, at, id)',
  miniapp_transactions_of_miniapp: 'miniapp_transactions (app_id, at, id)',
  miniapp_transactions_of_order: 'miniapp_transactions (miniapp_order_id) where miniapp_order_id is not null',
  miniapp_transactions_of_payment: 'miniapp_transactions (order_payment_id, integration_id) where order_payment_id is not null',
  miniapp_transactions_not_paid: `miniapp_transactions (status, at, id) where status <> 'paid'`,
} as const;

const addedUnique = { miniapp_transactions_of_key: 'miniapp_transactions (transaction_id, integration_id)' } as const;

/** The same rows are found by an index above, which begins with the column that is searched alone as well. */
const replaced = {
  miniapp_transactions_by_key: 'miniapp_transactions (integration_id, transaction_id)',
  miniapp_transactions_by_payment: 'miniapp_transactions (integration_id, order_payment_id) where order_payment_id is not null',
  miniapp_transactions_by_pair: 'miniapp_transactions (client_id, app_id, at, id)',
} as const;

/** Lists of a million records. Built while others write; one that was killed is begun again. */
export class ListIndexes1767225760000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [kind, indexes] of [['index', added] as const, ['unique index', addedUnique] as const]) {
      for (const [name, on] of Object.entries(indexes)) {
        await runner.query(`drop index concurrently if exists ${name}`);
        await runner.query(`create ${kind} concurrently ${name} on ${on}`);
      }
    }
    for (const name of Object.keys(replaced)) await runner.query(`drop index concurrently if exists ${name}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(replaced)) {
      await runner.query(`create ${name === 'miniapp_transactions_by_key' ? 'unique ' : ''}index ${name} on ${on}`);
    }
    for (const name of Object.keys({ ...added, ...addedUnique })) await runner.query(`drop index ${name}`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** As in audit-entry.schema.ts: which partner an entry is about. A migration keeps its words, whatever becomes of that file. */
const partnerIn = (ofPartner: string, ofIntegration: string, lane: string): string =>
  `(case split_part(subject, ':', 1) when '${ofPartner}' then split_part(subject, ':', 2) when 'integration' then ${ofIntegration} ` +
  `when 'delivery-lane' then case split_part(subject, ':', 2) when '${lane}' then split_part(subject, ':', 3) end end)`;
const hostApp = partnerIn('host-app', `split_part(split_part(subject, ':', 2), '/', 1)`, 'hostapp');
const miniapp = partnerIn('miniapp', `case when subject not like 'integration:/%' then split_part(subject, '/', 2) end`, 'miniapp');

const added = {
  audit_log_of_host_app_action: `audit_log (${hostApp}, action, at) where ${hostApp} is not null`,
  audit_log_of_miniapp_action: `audit_log (${miniapp}, action, at) where ${miniapp} is not null`,
} as const;

/** Finds a rare action of a partner with many entries. Built concurrently with writes; an index that a killed run left invalid is built again. */
export class AuditOfPartnerByAction1767225791000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(added)) {
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on ${on}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(added)) await runner.query(`drop index ${name}`);
  }
}

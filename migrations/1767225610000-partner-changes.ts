import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['host_apps', 'miniapps', 'partner_credentials', 'integrations'];

/** What of a credential is asked for on the hot path; that it was used is none of it. */
const columnsOf = (table: string): string =>
  table === 'partner_credentials'
    ? 'of partner_kind, partner_id, kind, slot, sealed, public_key, fingerprint, created_at, valid_until'
    : '';

/**
 * Tells every instance which partner or integration changed: `[client id or null, app id or null]`, an empty list for all of
 * them. Sent when the change commits; equal notices of one transaction are one.
 */
export class PartnerChanges1767225610000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function tell_partner_change() returns trigger language plpgsql as $$
      declare
        place jsonb;
      begin
        if tg_op = 'TRUNCATE' then
          perform pg_notify('pierhead_changes', '[]');
          return null;
        end if;
        -- A row that gets other keys is a change of both.
        foreach place in array array[to_jsonb(old), to_jsonb(new)] loop
          continue when place is null;
          perform pg_notify('pierhead_changes', (case
            when tg_table_name = 'host_apps' then jsonb_build_array(place -> 'id', null)
            when tg_table_name = 'miniapps' then jsonb_build_array(null, place -> 'id')
            when tg_table_name = 'integrations' then jsonb_build_array(place -> 'client_id', place -> 'app_id')
            when place ->> 'partner_kind' = 'host-app' then jsonb_build_array(place -> 'partner_id', null)
            else jsonb_build_array(null, place -> 'partner_id')
          end)::text);
        end loop;
        return null;
      end $$`);
    for (const table of tables) {
      await runner.query(`
        create trigger ${table}_tell_change after insert or delete or update ${columnsOf(table)} on ${table}
        for each row execute function tell_partner_change()`);
      await runner.query(`
        create trigger ${table}_tell_truncate after truncate on ${table}
        for each statement execute function tell_partner_change()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await runner.query(`drop trigger ${table}_tell_truncate on ${table}`);
      await runner.query(`drop trigger ${table}_tell_change on ${table}`);
    }
    await runner.query('drop function tell_partner_change()');
  }
}

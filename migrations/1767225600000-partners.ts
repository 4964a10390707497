import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Host apps, miniapps, their credentials and integrations, and the audit trail of every change. */
export class Partners1767225600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Ids sort by byte, so that lists have one order whatever the locale of the cluster.
    for (const table of ['host_apps', 'miniapps']) {
      await runner.query(`
        create table ${table} (
          id text collate "C" not null,
          version integer not null,
          settings jsonb not null,
          created_at timestamptz not null,
          updated_at timestamptz not null,
          constraint ${table}_pkey primary key (id)
        )`);
    }
    await runner.query(`
      create table partner_credentials (
        partner_kind text collate "C" not null,
        partner_id text collate "C" not null,
        kind text collate "C" not null,
        slot text collate "C" not null,
        sealed bytea not null,
        public_key text,
        fingerprint text not null,
        created_at timestamptz not null,
        valid_until timestamptz,
        last_used_at timestamptz,
        constraint partner_credentials_pkey primary key (partner_kind, partner_id, kind, slot)
      )`);
    await runner.query(`
      create table integrations (
        id text collate "C" not null,
        client_id text collate "C" not null,
        app_id text collate "C" not null,
        version integer not null,
        status text not null,
        merchant_id text,
        settings jsonb not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        constraint integrations_pkey primary key (id),
        constraint integrations_pair unique (client_id, app_id),
        constraint integrations_host_app foreign key (client_id) references host_apps (id) on delete cascade,
        constraint integrations_miniapp foreign key (app_id) references miniapps (id) on delete cascade
      )`);
    await runner.query('create index integrations_by_miniapp on integrations (app_id)');
    await this.createAuditLog(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['audit_log', 'integrations', 'partner_credentials', 'miniapps', 'host_apps']) {
      await runner.query(`drop table ${table}`);
    }
    await runner.query('drop function refuse_change()');
  }

  private async createAuditLog(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit_log (
        id bigint generated always as identity,
        at timestamptz not null,
        actor text not null,
        action text not null,
        subject text not null,
        before jsonb,
        after jsonb,
        request_id text not null,
        constraint audit_log_pkey primary key (id)
      )`);
    await runner.query('create index audit_log_by_subject on audit_log (subject, id)');
    await runner.query('create index audit_log_by_action on audit_log (action, id)');
    await runner.query('create index audit_log_by_time on audit_log (at)');
    await runner.query(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
      end $$`);
    await runner.query(`
      create trigger audit_log_is_append_only before update or delete on audit_log
      for each row execute function refuse_change()`);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit trail as a chain: each entry holds the hash of the one before it and its own. Entries from before are chained too. */
export class AuditChain1767225622000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log add column previous_hash text, add column hash text');
    await runner.query(`
      create table audit_head (
        one boolean not null default true,
        last_id bigint not null,
        hash text not null,
        entries bigint not null,
        constraint audit_head_pkey primary key (one),
        constraint audit_head_one check (one)
      )`);
    await this.createDigest(runner);
    await this.chainEntriesFromBefore(runner);
    await runner.query('alter table audit_log alter column previous_hash set not null, alter column hash set not null');
    await this.createTriggers(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const trigger of ['audit_log_in_turn', 'audit_log_is_chained', 'audit_log_is_not_emptied']) {
      await runner.query(`drop trigger ${trigger} on audit_log`);
    }
    await runner.query('drop function take_audit_turn(), chain_audit_entry(), audit_hash(audit_log), audit_part(text)');
    await runner.query('drop table audit_head');
    await runner.query('alter table audit_log drop column previous_hash, drop column hash');
  }

  /** The same text as in audit-hash.ts: each part by its length in bytes and itself, `-` where there is none. */
  private async createDigest(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function audit_part(part text) returns text language sql immutable as $$
        select coalesce(octet_length(convert_to(part, 'UTF8'))::text || ':' || part, '-') || ','
      $$`);
    await runner.query(`
      create function audit_hash(entry audit_log) returns text language sql stable set search_path from current as $$
        select encode(sha256(convert_to(
          audit_part(entry.previous_hash) || audit_part(entry.id::text)
            || audit_part(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
            || audit_part(entry.actor) || audit_part(entry.action) || audit_part(entry.subject)
            || audit_part(entry.before::text) || audit_part(entry.after::text) || audit_part(entry.request_id), 'UTF8')), 'hex')
      $$`);
  }

  private async chainEntriesFromBefore(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log disable trigger audit_log_is_append_only');
    await runner.query(`
      do $$
      declare
        entry audit_log;
        before_it text := repeat('0', 64);
        entries bigint := 0;
      begin
        for entry in select * from audit_log order by id loop
          entry.previous_hash := before_it;
          entry.hash := audit_hash(entry);
          update audit_log set previous_hash = entry.previous_hash, hash = entry.hash where id = entry.id;
          before_it := entry.hash;
          entries := entries + 1;
        end loop;
        insert into audit_head (last_id, hash, entries) values (coalesce((select max(id) from audit_log), 0), before_it, entries);
      end $$`);
    await runner.query('alter table audit_log enable trigger audit_log_is_append_only');
  }

  private async createTriggers(runner: QueryRunner): Promise<void> {
    const [{ place }] = (await runner.query('select quote_ident(current_schema()) as place')) as [{ place: string }];
    // Before any id is drawn: who appends at once takes turns until it has committed, so ids rise in the order of the chain.
    await runner.query(`
      create function take_audit_turn() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(hashtextextended('pierhead-audit', 0));
        return null;
      end $$`);
    // With the rights of the owner, as who serves may not write the head; its own tables go before those of the session.
    await runner.query(`
      create function chain_audit_entry() returns trigger language plpgsql security definer set search_path = ${place}, pg_temp as $$
      declare
        head audit_head;
      begin
        select * into head from audit_head;
        new.id := greatest(new.id, coalesce(head.last_id, 0) + 1);
        new.previous_hash := coalesce(head.hash, repeat('0', 64));
        new.hash := audit_hash(new);
        insert into audit_head (last_id, hash, entries) values (new.id, new.hash, coalesce(head.entries, 0) + 1)
        on conflict (one) do update set last_id = excluded.last_id, hash = excluded.hash, entries = excluded.entries;
        return new;
      end $$`);
    await runner.query(`
      create trigger audit_log_in_turn before insert on audit_log
      for each statement execute function take_audit_turn()`);
    await runner.query(`
      create trigger audit_log_is_chained before insert on audit_log
      for each row execute function chain_audit_entry()`);
    await runner.query(`
      create trigger audit_log_is_not_emptied before truncate on audit_log
      for each statement execute function refuse_change()`);
  }
}

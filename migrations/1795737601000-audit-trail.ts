import type { QueryRunner } from 'typeorm';
import { StatementMigration } from './statement-migration';

/** The host app, or the miniapp, that an entry is about. */
const ofHostApp = `
  case split_part(subject, ':', 1)
    when 'host-app' then split_part(subject, ':', 2)
    when 'integration' then split_part(split_part(subject, ':', 2), '/', 1)
    when 'endpoint-queue' then case split_part(subject, ':', 2) when 'hostapp' then split_part(subject, ':', 3) end
  end`;
const ofMiniapp = `
  case split_part(subject, ':', 1)
    when 'miniapp' then split_part(subject, ':', 2)
    when 'integration' then case when subject not like 'integration:/%' then split_part(subject, '/', 2) end
    when 'endpoint-queue' then case split_part(subject, ':', 2) when 'miniapp' then split_part(subject, ':', 3) end
  end`;

/** The audit trail: a chain in which each entry holds the hash of the one before it and its own. Nobody can change an entry. */
export class AuditTrail1795737601000 extends StatementMigration {
  protected readonly created = [
    `create table audit_log (
       id bigint generated always as identity,
       at timestamptz not null,
       actor text not null,
       action text not null,
       subject text not null,
       before jsonb,
       after jsonb,
       request_id text not null,
       previous_hash text not null,
       hash text not null,
       constraint audit_log_pkey primary key (id)
     )`,
    'create index audit_log_by_time on audit_log (at)',
    'create index audit_log_of_action on audit_log (action, at)',
    'create index audit_log_of_actor on audit_log (actor, at)',
    'create index audit_log_of_subject on audit_log (subject, at)',
    `create index audit_log_by_host_app on audit_log ((${ofHostApp}), at) where (${ofHostApp}) is not null`,
    `create index audit_log_by_miniapp on audit_log ((${ofMiniapp}), at) where (${ofMiniapp}) is not null`,
    `create index audit_log_of_host_app_action on audit_log ((${ofHostApp}), action, at) where (${ofHostApp}) is not null`,
    `create index audit_log_of_miniapp_action on audit_log ((${ofMiniapp}), action, at) where (${ofMiniapp}) is not null`,
    `create table audit_head (
       one boolean not null default true,
       last_id bigint not null,
       hash text not null,
       entries bigint not null,
       constraint audit_head_pkey primary key (one),
       constraint audit_head_one check (one)
     )`,
    `insert into audit_head (last_id, hash, entries) values (0, repeat('0', 64), 0)`,
    // The same text as in audit-hash.ts: each part by its length in bytes and itself, `-` where there is none.
    `create function audit_part(part text) returns text language sql immutable as $$
       select coalesce(octet_length(convert_to(part, 'UTF8'))::text || ':' || part, '-') || ','
     $$`,
    `create function audit_hash(entry audit_log) returns text language sql stable set search_path from current as $$
       select encode(sha256(convert_to(
         audit_part(entry.previous_hash) || audit_part(entry.id::text)
           || audit_part(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
           || audit_part(entry.actor) || audit_part(entry.action) || audit_part(entry.subject)
           || audit_part(entry.before::text) || audit_part(entry.after::text) || audit_part(entry.request_id), 'UTF8')), 'hex')
     $$`,
    `create function refuse_change() returns trigger language plpgsql as $$
     begin
       raise exception '% is append only', tg_table_name using errcode = 'insufficient_privilege';
     end $$`,
    // Before an id is drawn: entries that are added at once take turns until each is committed, so ids rise in the order of the chain.
    `create function take_audit_turn() returns trigger language plpgsql as $$
     begin
       perform pg_advisory_xact_lock(hashtextextended('pierhead-audit', 0));
       return null;
     end $$`,
    'create trigger audit_log_in_turn before insert on audit_log for each statement execute function take_audit_turn()',
    'create trigger audit_log_is_append_only before delete or update on audit_log for each row execute function refuse_change()',
    'create trigger audit_log_is_not_emptied before truncate on audit_log for each statement execute function refuse_change()',
  ];

  protected readonly dropped = [
    'drop function audit_hash(audit_log)',
    'drop table audit_head, audit_log',
    'drop function take_audit_turn(), chain_audit_entry(), refuse_change(), audit_part(text)',
  ];

  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    const [{ schema }] = (await runner.query('select quote_ident(current_schema()) as schema')) as [{ schema: string }];
    await runner.query(chainFunction(schema));
    await runner.query('create trigger audit_log_is_chained before insert on audit_log for each row execute function chain_audit_entry()');
  }
}

/** With the rights of the owner, as the serving role may not write the head; the schema's own tables come before temporary ones. */
const chainFunction = (schema: string): string => `
  create function chain_audit_entry() returns trigger language plpgsql security definer set search_path = ${schema}, pg_temp as $$
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
  end $$`;

import { StatementMigration } from './statement-migration';

/** Host apps, miniapps, their integrations and credentials, and a notice to every instance when one of them changes. */
export class Partners1795737600000 extends StatementMigration {
  protected readonly created = [
    `create table host_apps (
       id text collate "C" not null,
       version integer not null,
       settings jsonb not null,
       created_at timestamptz not null,
       updated_at timestamptz not null,
       constraint host_apps_pkey primary key (id)
     )`,
    `create table miniapps (
       id text collate "C" not null,
       version integer not null,
       settings jsonb not null,
       created_at timestamptz not null,
       updated_at timestamptz not null,
       constraint miniapps_pkey primary key (id)
     )`,
    `create table integrations (
       id text collate "C" not null,
       client_id text collate "C" not null,
       app_id text collate "C" not null,
       version integer not null,
       status text not null,
       merchant_id text,
       settings jsonb not null,
       created_at timestamptz not null,
       updated_at timestamptz not null,
       proposal jsonb,
       constraint integrations_pkey primary key (id),
       constraint integrations_pair unique (client_id, app_id),
       constraint integrations_host_app foreign key (client_id) references host_apps (id) on delete cascade,
       constraint integrations_miniapp foreign key (app_id) references miniapps (id) on delete cascade
     )`,
    'create index integrations_by_miniapp on integrations (app_id)',
    `create table removed_integrations (
       id text collate "C" not null,
       client_id text collate "C" not null,
       app_id text collate "C" not null,
       constraint removed_integrations_pkey primary key (id)
     )`,
    'create index removed_integrations_by_host_app on removed_integrations (client_id)',
    `create table partner_credentials (
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
       proven_at timestamptz,
       constraint partner_credentials_pkey primary key (partner_kind, partner_id, kind, slot)
     )`,
    'create index partner_credentials_by_public_key on partner_credentials (kind, fingerprint) where public_key is not null',
    'create index partner_credentials_ending on partner_credentials (valid_until) where valid_until is not null',
    `create table miniapp_list_ids (
       app_id text collate "C" not null,
       list_id bigint not null,
       constraint miniapp_list_ids_pkey primary key (app_id),
       constraint miniapp_list_ids_id unique (list_id),
       constraint miniapp_list_ids_miniapp foreign key (app_id) references miniapps (id) on delete cascade
     )`,
    `create table live_integrations (
       integration_id text collate "C" not null,
       at timestamptz not null,
       actor text not null,
       reason text,
       missing text[] not null,
       constraint live_integrations_pkey primary key (integration_id)
     )`,
    `create unlogged table partner_circuits (
       side text collate "C" not null,
       partner_id text collate "C" not null,
       step text collate "C" not null,
       integration_id text collate "C" not null,
       open_until timestamptz not null,
       opened_by text not null,
       constraint partner_circuits_pkey primary key (side, partner_id, step, integration_id)
     )`,
    `create function keep_removed_integration() returns trigger language plpgsql as $$
     begin
       insert into removed_integrations (id, client_id, app_id) values (old.id, old.client_id, old.app_id);
       return null;
     end $$`,
    `create function notify_partner_change() returns trigger language plpgsql as $$
     declare
       changed jsonb;
     begin
       if tg_op = 'TRUNCATE' then
         perform pg_notify('pierhead_changes', '[]');
         return null;
       end if;
       -- A row that gets other keys is a change of both.
       foreach changed in array array[to_jsonb(old), to_jsonb(new)] loop
         continue when changed is null;
         perform pg_notify('pierhead_changes', (case
           when tg_table_name = 'host_apps' then jsonb_build_array(changed -> 'id', null)
           when tg_table_name = 'miniapps' then jsonb_build_array(null, changed -> 'id')
           when tg_table_name = 'integrations' then jsonb_build_array(changed -> 'client_id', changed -> 'app_id')
           when changed ->> 'partner_kind' = 'host-app' then jsonb_build_array(changed -> 'partner_id', null)
           else jsonb_build_array(null, changed -> 'partner_id')
         end)::text);
       end loop;
       return null;
     end $$`,
    'create trigger host_apps_notify_change after insert or delete or update on host_apps for each row execute function notify_partner_change()',
    'create trigger host_apps_notify_truncate after truncate on host_apps for each statement execute function notify_partner_change()',
    'create trigger miniapps_notify_change after insert or delete or update on miniapps for each row execute function notify_partner_change()',
    'create trigger miniapps_notify_truncate after truncate on miniapps for each statement execute function notify_partner_change()',
    'create trigger integrations_keep_id after delete on integrations for each row execute function keep_removed_integration()',
    'create trigger integrations_notify_change after insert or delete or update on integrations for each row execute function notify_partner_change()',
    'create trigger integrations_notify_truncate after truncate on integrations for each statement execute function notify_partner_change()',
    // Not when a credential was used or proven: that changes nothing for other instances.
    `create trigger partner_credentials_notify_change
     after insert or delete
       or update of partner_kind, partner_id, kind, slot, sealed, public_key, fingerprint, created_at, valid_until
     on partner_credentials for each row execute function notify_partner_change()`,
    'create trigger partner_credentials_notify_truncate after truncate on partner_credentials for each statement execute function notify_partner_change()',
  ];

  protected readonly dropped = [
    'drop table partner_circuits, live_integrations, miniapp_list_ids, partner_credentials, removed_integrations, integrations, miniapps, host_apps',
    'drop function keep_removed_integration(), notify_partner_change()',
  ];
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The numbers by which the host page's SDK knows miniapps (contract/miniapps#public-list). */
export class MiniappListIds1767225730000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table miniapp_list_ids (
        app_id text collate "C" not null constraint miniapp_list_ids_pkey primary key
          constraint miniapp_list_ids_miniapp references miniapps (id) on delete cascade,
        list_id bigint not null constraint miniapp_list_ids_id unique
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table miniapp_list_ids');
  }
}

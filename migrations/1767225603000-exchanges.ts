import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The record of every relay, both legs. Read newest first, by partner pair, by request and by error. */
export class Exchanges1767225603000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table exchanges (
        id text collate "C" not null,
        request_id text not null,
        call text not null,
        client_id text,
        app_id text,
        reference text,
        at timestamptz not null,
        ms integer not null,
        status integer not null,
        error_code text,
        failed_side text,
        failed_step text,
        checks text[] not null,
        legs jsonb not null,
        constraint exchanges_pkey primary key (id)
      )`);
    await runner.query('create index exchanges_by_time on exchanges (at, id)');
    await runner.query('create index exchanges_by_request on exchanges (request_id)');
    await runner.query('create index exchanges_by_pair on exchanges (client_id, app_id, at)');
    await runner.query('create index exchanges_by_miniapp on exchanges (app_id, at)');
    await runner.query('create index exchanges_by_error on exchanges (error_code, at) where error_code is not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table exchanges');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many exchanges each pair had in each half-day, in rows so narrow that all pairs can be compared. The worker fills it from hours. */
export class FiguresOfHalfDays1767225641000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table figure_pairs (
        slot timestamptz not null,
        client_id text collate "C" not null,
        app_id text collate "C" not null,
        count bigint not null,
        failed bigint not null,
        constraint figure_pairs_pkey primary key (slot, client_id, app_id)
      )`);
    // A host app has few of all miniapps: taken for independent, the pairs would be reckoned many times as many, and sorted on disk.
    await runner.query('create statistics figure_pairs_of_both (ndistinct) on client_id, app_id from figure_pairs');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table figure_pairs');
    await runner.query(`delete from figure_sums where grain = 'half-day'`);
    await runner.query(`delete from figure_durations where grain = 'half-day'`);
    await runner.query(`delete from figure_progress where grain = 'half-day'`);
  }
}

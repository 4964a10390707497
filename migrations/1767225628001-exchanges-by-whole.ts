import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The calls of one payment or event, found beside those that are written meanwhile. One that was killed is begun again. */
export class ExchangesByWhole1767225628001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists exchanges_by_whole');
    await runner.query('create index concurrently exchanges_by_whole on exchanges (part_of, at) where part_of is not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index exchanges_by_whole');
  }
}

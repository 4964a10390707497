import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['figure_sums', 'figure_durations'] as const;
const partners = { host_app: 'client_id', miniapp: 'app_id' } as const;

/** Figures of one partner among thousands, built while others write. One that was killed is begun again. */
export class FiguresOfPartners1767225640003 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      for (const [partner, column] of Object.entries(partners)) {
        await runner.query(`drop index concurrently if exists ${table}_by_${partner}`);
        await runner.query(`create index concurrently ${table}_by_${partner} on ${table} (${column}, grain, slot)`);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) for (const partner of Object.keys(partners)) await runner.query(`drop index ${table}_by_${partner}`);
  }
}

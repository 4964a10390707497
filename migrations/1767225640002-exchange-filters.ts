import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What lists of exchanges are narrowed to, so that a rare one is found as soon as a frequent one. */
const indexes = {
  exchanges_by_call: '(call, at, id)',
  exchanges_by_status: '(status, at, id) where status >= 300',
  exchanges_by_failed_side: '(failed_side, at, id) where failed_side is not null',
  exchanges_by_refused_check: '(refused_check, at, id) where refused_check is not null',
  exchanges_slow: '(at, id) where ms >= 1000',
} as const;

/** Built while others write. One that was killed is begun again. */
export class ExchangeFilters1767225640002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, of] of Object.entries(indexes)) {
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on exchanges ${of}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(indexes)) await runner.query(`drop index ${name}`);
  }
}

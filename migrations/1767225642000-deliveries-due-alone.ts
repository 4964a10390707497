import type { MigrationInterface, QueryRunner } from 'typeorm';

const isOwed = `state = 'ready'`;

/** The old and the new index: the same rows, as the further condition is true in each. */
const indexes = [
  {
    before: { name: 'deliveries_owed_since', on: `(created_at) where ${isOwed} and parked_by is null` },
    after: { name: 'deliveries_owed_from', on: `(created_at) where ${isOwed} and parked_by is null and created_at is not null` },
  },
  {
    before: { name: 'deliveries_by_key', on: `(key, seq) where ${isOwed}` },
    after: { name: 'deliveries_of_key', on: `(key, seq) where ${isOwed} and key is not null` },
  },
] as const;

/**
 * Claims can be planned by the index of due deliveries and by no other. Where little was owed when its connection planned it, a claim read
 * all that waits by a smaller index and sorted it. Built while others write; one that was killed is begun again.
 */
export class DeliveriesDueAlone1767225642000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { before, after } of indexes) {
      await runner.query(`drop index concurrently if exists ${after.name}`);
      await runner.query(`create index concurrently ${after.name} on deliveries ${after.on}`);
      await runner.query(`drop index concurrently if exists ${before.name}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { before, after } of indexes) {
      await runner.query(`create index ${before.name} on deliveries ${before.on}`);
      await runner.query(`drop index ${after.name}`);
    }
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Circuits of partners' endpoints that are open, for all instances (ADR 051). */
export class PartnerCircuits1767225650000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Unlogged: after a crash each instance finds out anew within seconds.
    await runner.query(`
      create unlogged table partner_circuits (
        side text collate "C" not null,
        partner_id text collate "C" not null,
        step text collate "C" not null,
        integration_id text collate "C" not null,
        open_until timestamptz not null,
        opened_by text not null,
        constraint partner_circuits_pkey primary key (side, partner_id, step, integration_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table partner_circuits');
  }
}

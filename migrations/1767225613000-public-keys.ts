import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds public keys: whether an app has one already, and those that are published. */
export class PublicKeys1767225613000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index partner_credentials_by_public_key on partner_credentials (kind, fingerprint) where public_key is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index partner_credentials_by_public_key');
  }
}

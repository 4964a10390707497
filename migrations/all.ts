import type { MigrationInterface } from 'typeorm';

/** Every migration, oldest first, by name: no globs, so that source, build and tests run the same list. */
export const migrations: (new () => MigrationInterface)[] = [];

import { migrateOnce } from '../tasks/migrate-once';
import { printJson, printLine, type RegisterCommand } from './command-io';

const help = `
Examples:
  DATABASE_URL=postgres://owner@db/pierhead pierhead migrate
  pierhead migrate --json      {"migrated": […]}`;

/** `pierhead migrate`: runs pending migrations. */
export const registerMigrate: RegisterCommand = (program, io) => {
  program
    .command('migrate')
    .description('bring the tables of DATABASE_URL (or of the embedded database) up to date')
    .option('--json', 'print the names of the migrations as JSON')
    .addHelpText('after', help)
    .action(async ({ json }: { json?: true }) => {
      const migrated = await migrateOnce(io.settings());
      if (json) printJson(io, { migrated });
      else printLine(io, migrated.length > 0 ? `Migrated: ${migrated.join(', ')}` : 'Nothing to migrate');
    });
};

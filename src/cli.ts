#!/usr/bin/env node
import 'reflect-metadata';
import { Command } from 'commander';
import { renderErrorReference } from './adapters/in/http/docs/error-reference';
import { runDemoService } from './composition/run-demo-service';
import { migrateOnce } from './composition/migrate-once';
import { readSettings } from './config/settings';
import { main } from './main';

/** The command line: each command is one function of the composition root. */
const program = new Command('pierhead').description('The service between a super app and the miniapps it opens.').showHelpAfterError();

program
  .command('start')
  .description('start the service with the settings of the environment')
  .action(() => main());

program
  .command('demo')
  .description('start a service with two simulated partners and walk users through all it does; exits with 1 when a leg is wrong')
  .action(async () => {
    const asExpected = await runDemoService((line) => process.stdout.write(`${line}\n`));
    process.exitCode = asExpected ? 0 : 1;
  });

program
  .command('migrate')
  .description('bring the tables of DATABASE_URL (or of the embedded database) up to date')
  .action(async () => {
    const migrated = await migrateOnce(readSettings());
    process.stdout.write(migrated.length > 0 ? `Migrated: ${migrated.join(', ')}\n` : 'Nothing to migrate\n');
  });

program
  .command('errors')
  .description('print the reference of error codes, as Markdown')
  .action(() => {
    process.stdout.write(renderErrorReference());
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

#!/usr/bin/env node
import 'reflect-metadata';
import { Command } from 'commander';
import { renderErrorReference } from './adapters/in/http/docs/error-reference';
import { verifyAudit } from './composition/audit-once';
import { explainRequest, type ExplainOptions } from './composition/explain-request';
import { listKeys, reencrypt } from './composition/keys-once';
import { runDemoService } from './composition/run-demo-service';
import { migrateOnce } from './composition/migrate-once';
import { readSettings } from './config/settings';
import { main } from './main';

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

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
    const asExpected = await runDemoService(printLine);
    process.exitCode = asExpected ? 0 : 1;
  });

program
  .command('migrate')
  .description('bring the tables of DATABASE_URL (or of the embedded database) up to date')
  .action(async () => {
    const migrated = await migrateOnce(readSettings());
    process.stdout.write(migrated.length > 0 ? `Migrated: ${migrated.join(', ')}\n` : 'Nothing to migrate\n');
  });

const keys = program.command('keys').description('the encryption keys that seal what is stored');

keys
  .command('list')
  .description('print which keys seal how many values of DATABASE_URL (or of the embedded database, while the service is stopped)')
  .action(() => listKeys(readSettings(), printLine));

keys
  .command('reencrypt')
  .description('seal every value anew under the first of ENCRYPTION_KEYS, while instances serve; exits with 1 while another key is needed')
  .action(async () => {
    const complete = await reencrypt(readSettings(), printLine);
    process.exitCode = complete ? 0 : 1;
  });

program
  .command('explain')
  .description('say what is wrong with the signature of a saved request; exits with 2 when that is unknown')
  .argument('[file]', 'the request as HTTP text: request line, headers, blank line, body; - for standard input')
  .option('--settings <file>', 'offline: signature settings in JSON as in the manage API, with hmac_secret or partner_public_key')
  .option('--base-url <url>', 'offline: the public address of the service; https and the Host header unless given')
  .option('--merchant-id <id>', "offline: the integration's merchant id")
  .option('--received-at <time>', 'when the request came in, RFC 3339; now unless given')
  .option('--url <url>', 'ask the service there')
  .option('--token-file <file>', 'with --url: the file that holds the operator token')
  .option('--app <id>', 'with --url: the miniapp that signed')
  .option('--host-app <id>', 'with --url: the host app that signed')
  .option('--exchange <id>', 'with --url: explain the request of this refused exchange, no file')
  .option('--language <name>', 'of the signing code: typescript, python, java, go, php or shell', 'shell')
  .action(async (file: string | undefined, options: ExplainOptions) => {
    const print = (text: string): void => void process.stdout.write(text);
    process.exitCode = await explainRequest(file, options, { print, colour: process.stdout.isTTY });
  });

program
  .command('audit')
  .description('the audit trail of the manage API')
  .command('verify')
  .description(
    'walk along the chain of DATABASE_URL (or of the embedded database, while the service is stopped); exits with 1 where it breaks',
  )
  .option('--kept <id:hash>', 'an entry as an earlier walk or the log has printed it, kept apart from the database')
  .action(async ({ kept }: { kept?: string }) => {
    const whole = await verifyAudit(readSettings(), printLine, kept);
    process.exitCode = whole ? 0 : 1;
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

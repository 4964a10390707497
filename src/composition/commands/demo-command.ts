import { runDemoService } from '../processes/run-demo-service';
import { exitCodes, printJson, printLine, type RegisterCommand } from './command-io';

const help = `
Ends with 1 where a leg is not as it must be. With DATABASE_URL it runs in a schema of its own there, and takes it away again.

Examples:
  pierhead demo
  DATABASE_URL=postgres://postgres@127.0.0.1:5432/postgres pierhead demo`;

/** `pierhead demo`: runs the demo scenarios through all functions of the service. */
export const registerDemo: RegisterCommand = (program, io) => {
  program
    .command('demo')
    .description('start a service with two simulated partners and walk users through all it does')
    .option('--json', 'print the legs as JSON')
    .addHelpText('after', help)
    .action(async ({ json }: { json?: true }) => {
      const print = (line: string): void => (json ? undefined : printLine(io, line));
      const asExpected = await runDemoService(io.settings(), { print, onEnd: (legs) => (json ? printJson(io, { legs }) : undefined) });
      if (!asExpected) io.endWith(exitCodes.failed);
    });
};

import { keyLines, listKeys, otherKeyLines, reencrypt } from '../tasks/keys-once';
import { exitCodes, printJson, printLine, type RegisterCommand } from './command-io';

const listHelp = `
Opens one value of each key where the keys are at hand, and ends with 1 where one does not open.

Examples:
  DATABASE_URL=postgres://pierhead@db/pierhead pierhead keys list
  DATABASE_URL=postgres://pierhead@db/pierhead pierhead keys list --json`;

const reencryptHelp = `
Ends with 1 while another key than the first is still needed.

Examples:
  ENCRYPTION_KEYS=k2:…,k1:… DATABASE_URL=postgres://pierhead@db/pierhead pierhead keys reencrypt`;

/** `pierhead keys list` and `pierhead keys reencrypt`: the keys that seal stored values. */
export const registerKeys: RegisterCommand = (program, io) => {
  const keys = program.command('keys').description('the encryption keys that seal what is stored');
  keys
    .command('list')
    .description('print which keys seal how many values of DATABASE_URL (or of the embedded database, while the service is stopped)')
    .option('--json', 'print them as JSON')
    .addHelpText('after', listHelp)
    .action(async ({ json }: { json?: true }) => {
      const found = await listKeys(io.settings());
      if (json) printJson(io, { keys: found });
      else for (const line of keyLines(found)) printLine(io, line);
      if (found.some(({ opens }) => opens === false)) io.endWith(exitCodes.failed);
    });
  keys
    .command('reencrypt')
    .description('seal every value anew under the first of ENCRYPTION_KEYS, while instances serve')
    .option('--json', 'print what became of the values as JSON')
    .addHelpText('after', reencryptHelp)
    .action(async ({ json }: { json?: true }) => {
      const done = await reencrypt(io.settings(), (line) => (json ? undefined : printLine(io, line)));
      if (json) printJson(io, done);
      else for (const line of otherKeyLines(done)) printLine(io, line);
      if (done.others.length > 0) io.endWith(exitCodes.failed);
    });
};

import { listKeys, reencrypt } from '../keys-once';
import { exitCodes, printLine, type RegisterCommand } from './command-io';

const listHelp = `
Examples:
  DATABASE_URL=postgres://pierhead@db/pierhead pierhead keys list`;

const reencryptHelp = `
Ends with 1 while another key than the first is still needed.

Examples:
  ENCRYPTION_KEYS=k2:…,k1:… DATABASE_URL=postgres://pierhead@db/pierhead pierhead keys reencrypt`;

/** `pierhead keys list` and `pierhead keys reencrypt`: the keys that seal what is stored. */
export const registerKeys: RegisterCommand = (program, io) => {
  const keys = program.command('keys').description('the encryption keys that seal what is stored');
  keys
    .command('list')
    .description('print which keys seal how many values of DATABASE_URL (or of the embedded database, while the service is stopped)')
    .addHelpText('after', listHelp)
    .action(() => listKeys(io.settings(), (line) => printLine(io, line)));
  keys
    .command('reencrypt')
    .description('seal every value anew under the first of ENCRYPTION_KEYS, while instances serve')
    .addHelpText('after', reencryptHelp)
    .action(async () => {
      const complete = await reencrypt(io.settings(), (line) => printLine(io, line));
      if (!complete) io.endWith(exitCodes.failed);
    });
};

import { main } from '../../main';
import type { RegisterCommand } from './command-io';

const help = `
Settings come from the environment; docs/reference/settings.md lists them.

Examples:
  pierhead start
  DATABASE_URL=postgres://pierhead@db/pierhead WORKERS=4 pierhead start`;

/** `pierhead start`: runs the service until a stop signal. */
export const registerStart: RegisterCommand = (program) => {
  program
    .command('start')
    .description('start the service with the settings of the environment')
    .addHelpText('after', help)
    .action(() => main());
};

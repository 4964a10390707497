import { renderErrorReference } from '../../reference/errors/error-reference';
import { catalogue } from '../../domain/shared/error-catalogue';
import { printJson, type RegisterCommand } from './command-io';

const help = `
Examples:
  pierhead errors > docs/reference/errors.md
  pierhead errors --json`;

/** `pierhead errors`: the reference of error codes. */
export const registerErrors: RegisterCommand = (program, io) => {
  program
    .command('errors')
    .description('print the reference of error codes, as Markdown')
    .option('--json', 'print the codes as JSON')
    .addHelpText('after', help)
    .action(({ json }: { json?: true }) => {
      if (json) printJson(io, { codes: Object.entries(catalogue).map(([code, entry]) => ({ code, ...entry })) });
      else io.out(renderErrorReference());
    });
};

import { renderErrorReference } from '../../adapters/in/http/docs/error-reference';
import type { RegisterCommand } from './command-io';

/** `pierhead errors`: the reference of error codes. */
export const registerErrors: RegisterCommand = (program, io) => {
  program
    .command('errors')
    .description('print the reference of error codes, as Markdown')
    .addHelpText('after', '\nExamples:\n  pierhead errors > docs/reference/errors.md')
    .action(() => {
      io.out(renderErrorReference());
    });
};

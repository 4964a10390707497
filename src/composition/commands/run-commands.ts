import { Command, CommanderError } from 'commander';
import { ownVersion } from '../own-version';
import { exitCodes, type CommandIo, type ExitCode, type RegisterCommand } from './command-io';

/** What the program is run with: its words after the name, and where it reads and writes. */
export interface Run {
  readonly args: readonly string[];
  readonly io: Omit<CommandIo, 'endWith'>;
}

const exitCodeHelp = `
Exit codes: 0 it went well; 1 it was done, and what was asked about is wrong; 2 it could not be done (wrong usage, no database,
nothing answers). What a command has to say goes to standard output, what went wrong to standard error.`;

/** Runs the command that the words name. Never throws: what goes wrong is one line on standard error, and the exit code. */
export async function runCommands(commands: readonly RegisterCommand[], { args, io }: Run): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const endWith = (given: ExitCode): void => {
    code = given;
  };
  try {
    await programOf(commands, { ...io, endWith }).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Help and the version leave this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.unusable;
    io.err(`${reasonOf(error)}\n`);
    return exitCodes.unusable;
  }
}

/** The whole program, so that its help can be read. */
export function programOf(commands: readonly RegisterCommand[], io: CommandIo): Command {
  const program = new Command('pierhead')
    .description('The service between a super app and the miniapps it opens.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .showHelpAfterError('(--help says how it is used)')
    .addHelpText('after', exitCodeHelp)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err });
  for (const register of commands) register(program, io);
  return program;
}

/** Errors of connections that were tried at several addresses say nothing themselves. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const why = cause === undefined ? '' : reasonOf(cause);
  return message.includes(why) ? message : `${message}: ${why}`;
}

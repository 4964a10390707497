import { Command, CommanderError } from 'commander';
import { ownVersion } from '../tasks/own-version';
import { exitCodes, type CommandIo, type ExitCode, type RegisterCommand } from './command-io';

/** The arguments of the program after its name, and its input and output. */
export interface Run {
  readonly args: readonly string[];
  readonly io: Omit<CommandIo, 'endWith'>;
}

const exitCodeHelp = `
Exit codes: 0 it went well; 1 it was done, and what was asked about is wrong; 2 it could not be done (wrong usage, no database,
nothing answers). What a command has to say goes to standard output, what went wrong to standard error.`;

/** Runs the command of the arguments. Never throws: an error becomes one line on standard error and the exit code. */
export async function runCommands(commands: readonly RegisterCommand[], { args, io }: Run): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  const endWith = (given: ExitCode): void => {
    code = given;
  };
  try {
    await programOf(commands, { ...io, endWith }).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander also throws for help and the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.unusable;
    io.err(`${reasonOf(error)}\n`);
    return exitCodes.unusable;
  }
}

/** The whole program with its help. */
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

/** An AggregateError of several connection attempts has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const why = cause === undefined ? '' : reasonOf(cause);
  return message.includes(why) ? message : `${message}: ${why}`;
}

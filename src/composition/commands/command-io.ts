import type { Command } from 'commander';
import type { Settings } from '../../config/settings';

/** The exit codes: success; done, but the result is negative; not possible as requested. */
export const exitCodes = { ok: 0, failed: 1, unusable: 2 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** All that a command needs of its process. Tests provide their own. */
export interface CommandIo {
  /** Writes text to standard output unchanged. */
  readonly out: (text: string) => void;
  /** Writes text to standard error unchanged. */
  readonly err: (text: string) => void;
  /** Whether standard output shows colours. */
  readonly colour: boolean;
  /** Reads the settings from the environment. Throws when one is invalid. */
  readonly settings: () => Settings;
  /** Aborted when the user ends the command (Ctrl-C). After the first call, Ctrl-C alone no longer ends the process. */
  readonly untilStopped: () => AbortSignal;
  /** Sets the exit code; `ok` by default. */
  readonly endWith: (code: ExitCode) => void;
}

/** Adds one command to the program: its arguments, its help and its action. */
export type RegisterCommand = (program: Command, io: CommandIo) => void;

/** Prints one line of text. */
export const printLine = ({ out }: Pick<CommandIo, 'out'>, line: string): void => {
  out(`${line}\n`);
};

/** Prints the JSON document of a command with `--json`. */
export const printJson = ({ out }: Pick<CommandIo, 'out'>, value: unknown): void => {
  out(`${JSON.stringify(value, null, 2)}\n`);
};

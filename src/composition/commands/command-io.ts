import type { Command } from 'commander';
import type { Settings } from '../../config/settings';

/** What a command says to its caller: it went well; it was done and the answer is no; it could not be done as it was asked for. */
export const exitCodes = { ok: 0, failed: 1, unusable: 2 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** All that a command has of the process that it runs in. Tests give their own. */
export interface CommandIo {
  /** Standard output, the text as it is. */
  readonly out: (text: string) => void;
  /** Standard error, the text as it is. */
  readonly err: (text: string) => void;
  /** Whether standard output shows colours. */
  readonly colour: boolean;
  /** Of the environment. Throws where one cannot be read. */
  readonly settings: () => Settings;
  /** Aborted when the user wants the command to end (Ctrl-C); from the first call on, that alone does not end the process. */
  readonly untilStopped: () => AbortSignal;
  /** Says how the command ends; `ok` unless it is called. */
  readonly endWith: (code: ExitCode) => void;
}

/** Adds one command to the program: its arguments, its help, and what it does. */
export type RegisterCommand = (program: Command, io: CommandIo) => void;

/** One line of text. */
export const printLine = ({ out }: Pick<CommandIo, 'out'>, line: string): void => {
  out(`${line}\n`);
};

/** The one JSON document of a command that was asked for `--json`. */
export const printJson = ({ out }: Pick<CommandIo, 'out'>, value: unknown): void => {
  out(`${JSON.stringify(value, null, 2)}\n`);
};

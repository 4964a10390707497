import type { ExitCode, RegisterCommand } from '../../../src/composition/commands/command-io';
import { runCommands } from '../../../src/composition/commands/run-commands';
import { readSettings } from '../../../src/config/settings';

/** How a command ended, and what it said. */
export interface Ended {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** A command that runs in this process. */
export interface Running {
  readonly ended: Promise<Ended>;
  /** What it has said so far. */
  output(): Omit<Ended, 'code'>;
  /** As Ctrl-C does. */
  stop(): void;
}

/** Runs the program in this process, with these settings of the environment and no others. */
export function startCommand(
  commands: readonly RegisterCommand[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  const output = { out: '', err: '' };
  const stopping = new AbortController();
  const io = {
    out: (text: string) => void (output.out += text),
    err: (text: string) => void (output.err += text),
    colour: false,
    settings: () => readSettings(env),
    untilStopped: () => stopping.signal,
  };
  const ended = runCommands(commands, { args, io }).then((code) => ({ code, ...output }));
  return {
    ended,
    output: () => ({ ...output }),
    stop: () => {
      stopping.abort();
    },
  };
}

export const runCommand = (...given: Parameters<typeof startCommand>): Promise<Ended> => startCommand(...given).ended;

import type { Command } from 'commander';
import { programOf } from '../../../src/composition/commands/run-commands';
import { readSettings } from '../../../src/config/settings';
import { commands } from '../../../src/cli';

/** One command that can be run. */
export interface Leaf {
  /** Such as `audit verify`. */
  readonly name: string;
  readonly command: Command;
}

const silent = {
  ...{ out: () => undefined, err: () => undefined, colour: false, settings: () => readSettings({}) },
  ...{ untilStopped: () => new AbortController().signal, endWith: () => undefined },
};

/** Every command of the program that can be run, in the order of its help. */
export const leaves = (): readonly Leaf[] => leavesOf(programOf(commands, silent), []);

const leavesOf = (parent: Command, above: readonly string[]): Leaf[] =>
  parent.commands.flatMap((command) => {
    const path = [...above, command.name()];
    return command.commands.length > 0 ? leavesOf(command, path) : [{ name: path.join(' '), command }];
  });

/** Its row in the reference of the operators' guide, blanks apart. */
export function referenceRow({ name, command }: Leaf): string {
  const words = command.registeredArguments.map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`));
  const options = command.options.map(({ flags }) => `\`${flags}\``);
  return `| \`${[name, ...words].join(' ')}\` | ${command.description()} | ${options.join(', ')} |`;
}

import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Advanced, ClockStep, ClockView } from '../../sandbox/clock/sandbox-clock';
import { WrongUsage } from '../tasks/explain-request';
import { printJson, printLine, type CommandIo, type RegisterCommand } from './command-io';
import { durationS } from './duration';
import { callSandbox } from './sandbox-server';

const partners = ['host-app', 'miniapp'] as const;
type Partner = (typeof partners)[number];

interface Flags {
  readonly sandboxPort?: number;
  readonly json?: true;
}

const advanceHelp = `
Time itself is not moved: what waits for the sandbox partners is brought nearer, and the command halts wherever something falls due.

Examples:
  pierhead sandbox advance 6h
  pierhead sandbox advance next
  pierhead sandbox advance 7d --json`;

const dialsHelp = `
Without a dial the dials are shown. What is not named is 0; together the percentages may be 100 at most.

Examples:
  pierhead sandbox dials --partner miniapp --error 30 --seed 7
  pierhead sandbox dials --partner host-app --delay 2000
  pierhead sandbox dials --partner miniapp --off`;

/** `pierhead sandbox …`: the clock and the fault settings of the simulated partners of a development service. */
export const registerSandbox: RegisterCommand = (program, io) => {
  const sandbox = program.command('sandbox').description('the clock and the fault dials of the simulated partners of a running service');
  registerClock(sandbox, io);
  registerDials(sandbox, io);
  withAddresses(sandbox.command('reset').description('put the dials to 0 and forget what the partners received'))
    .addHelpText('after', '\nExamples:\n  pierhead sandbox reset')
    .action(async (flags: Flags) => {
      for (const partner of partners) await callSandbox(urlOf(partner, flags, io), 'POST', '/sandbox/reset');
      if (flags.json) printJson(io, { reset: true });
      else printLine(io, 'The simulated partners are as they were at the start');
    });
};

const withAddresses = (command: Command): Command =>
  command
    .option('--sandbox-port <port>', 'of the simulated host app, the miniapp has the next one; SANDBOX_PORT unless given', portIn)
    .option('--json', 'print the answer as JSON');

function registerClock(sandbox: Command, io: CommandIo): void {
  withAddresses(sandbox.command('clock').description('say how far the clock has been advanced, and the next event'))
    .addHelpText('after', '\nExamples:\n  pierhead sandbox clock')
    .action(async (flags: Flags) => {
      const clock = (await callSandbox(urlOf('host-app', flags, io), 'GET', '/sandbox/clock')) as ClockView;
      if (flags.json) printJson(io, clock);
      else printLine(io, clockText(clock));
    });
  withAddresses(sandbox.command('advance').description('let time pass for the simulated partners'))
    .argument('<time>', 'how much, such as 90s, 6h or 7d, or next: to where the next thing happens', advanceBy)
    .addHelpText('after', advanceHelp)
    .action(async (step: { seconds: number } | { to: 'next' }, flags: Flags) => {
      const answer = await callSandbox(urlOf('host-app', flags, io), 'POST', '/sandbox/clock/advance', step);
      const { steps, advanced_s: advancedS, clock } = answer as Advanced & { clock: ClockView };
      if (flags.json) {
        printJson(io, answer);
        return;
      }
      for (const taken of steps) printLine(io, `+${timeText(taken.in_s).padEnd(12)} ${nameOf(taken)}`);
      printLine(io, advancedS === 0 ? 'Nothing waits: the clock stays' : `Advanced by ${timeText(advancedS)}. ${clockText(clock)}`);
    });
}

function registerDials(sandbox: Command, io: CommandIo): void {
  withAddresses(sandbox.command('dials').description('show or set how a simulated partner misbehaves'))
    .addOption(new Option('--partner <partner>', 'which one').choices(partners).makeOptionMandatory())
    .option('--delay <ms>', 'milliseconds before each answer', Number)
    .option('--error <percent>', 'of a hundred calls answered with 500', Number)
    .option('--malformed <percent>', 'with JSON that breaks off', Number)
    .option('--refused <percent>', 'with 401', Number)
    .option('--hang <percent>', 'never', Number)
    .option('--seed <number>', 'the same faults in the same order each time', Number)
    .option('--off', 'all to 0')
    .addHelpText('after', dialsHelp)
    .action(async (flags: Flags & DialFlags) => {
      const { partner, delay, error, malformed, refused, hang, seed, off } = flags;
      const given = {
        delay_ms: delay,
        error_percent: error,
        malformed_percent: malformed,
        refused_percent: refused,
        hang_percent: hang,
        seed,
      };
      const isSet = Object.values(given).some((value) => value !== undefined);
      if (isSet && off) throw new WrongUsage('--off goes without any other dial');
      const url = urlOf(partner, flags, io);
      const dials = await (isSet || off ? callSandbox(url, 'PUT', '/sandbox/dials', given) : callSandbox(url, 'GET', '/sandbox/dials'));
      if (flags.json) printJson(io, dials);
      else for (const [name, value] of Object.entries(dials as object)) printLine(io, `${name.padEnd(18)} ${String(value)}`);
    });
}

interface DialFlags {
  readonly partner: Partner;
  readonly delay?: number;
  readonly error?: number;
  readonly malformed?: number;
  readonly refused?: number;
  readonly hang?: number;
  readonly seed?: number;
  readonly off?: true;
}

function urlOf(partner: Partner, { sandboxPort }: Flags, io: Pick<CommandIo, 'settings'>): string {
  const port = sandboxPort ?? io.settings().sandboxPort;
  return `http://127.0.0.1:${String(partner === 'host-app' ? port : port + 1)}`;
}

const advanceBy = (text: string) => (text === 'next' ? { to: text } : { seconds: durationS(text) });

function portIn(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_535) return port;
  throw new InvalidArgumentError('must be 1 to 65534');
}

const nameOf = ({ what, id }: ClockStep): string => (id === undefined ? what : `${what} ${id}`);
const clockText = ({ advanced_s: advancedS, next }: ClockView): string =>
  `The clock is ${timeText(advancedS)} ahead; ${next ? `next: ${nameOf(next)} in ${timeText(next.in_s)}` : 'nothing waits'}`;

/** Formats a duration, such as `6 d 3 h 12 m 5 s`; below a minute with tenths of a second. */
function timeText(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 86_400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60, whole % 60] as const;
  return parts.flatMap((value, i) => (value === 0 ? [] : [`${String(value)} ${'dhms'[i] ?? ''}`])).join(' ');
}

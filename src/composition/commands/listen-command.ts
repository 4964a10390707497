import { InvalidArgumentError } from 'commander';
import { runListen, type ForwardedDelivery } from '../listen/run-listen';
import { exitCodes, printLine, type RegisterCommand } from './command-io';
import { durationS } from './duration';
import { serviceOptions, type ServiceFlags, whereItIs } from './service-options';

const help = `
The machine gets what the partner's own endpoint would get now: method, headers in their order, credentials and signature made for
the partner's URL, the same webhook-id, the same bytes, and the Host of that URL. A --forward address without a path takes the path
of the partner's URL. Nothing is followed to another address, and no delivery is changed. The service allows this in development;
in production with DELIVERY_REQUESTS=on, as what is shown holds the credentials toward the partner. Each is in the audit trail.

Ends with 0 on Ctrl-C; of --replay with 1 where the answer was no 2xx.

Examples:
  pierhead listen --app app_sandbx --forward http://localhost:3000/webhook
  pierhead listen --host-app host_sandbox00001 --forward http://localhost:4000 --since 1h
  pierhead listen --url https://pierhead.example --token-file token --replay 0198c0de-… --forward http://localhost:3000/webhook`;

interface Flags extends ServiceFlags {
  readonly app?: string;
  readonly hostApp?: string;
  readonly forward: URL;
  readonly since?: number;
  readonly replay?: string;
  readonly json?: true;
}

/** `pierhead listen`: forwards deliveries to a developer's machine, as the partner would receive them. */
export const registerListen: RegisterCommand = (program, io) => {
  serviceOptions(program.command('listen').description("forward deliveries to a developer's machine as production would send them"))
    .option('--app <id>', 'what goes to this miniapp')
    .option('--host-app <id>', 'what goes to this host app; with --app: only what comes from it')
    .requiredOption('--forward <url>', 'where to, such as http://localhost:3000/webhook', forwardUrl)
    .option('--since <time>', 'begin with what was pending so long ago, such as 90s, 10m, 1h, 2d', durationS)
    .option('--replay <delivery id>', 'this one alone, once, whatever became of it')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', help)
    .action(async ({ app, hostApp, forward, since, replay, json, ...flags }: Flags) => {
      const onForwarded = (what: ForwardedDelivery): void => printLine(io, json ? JSON.stringify(what) : lineOf(what));
      const onStatus = (line: string): void => io.err(`${line}\n`);
      const options = { ...(await whereItIs(flags, io)), app, hostApp, forward, sinceS: since, replay };
      const received = await runListen(options, { onForwarded, onStatus, stopping: io.untilStopped() });
      if (!received) io.endWith(exitCodes.failed);
    });
};

function forwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '') return url;
  throw new InvalidArgumentError('must be an http or https URL without user info');
}

const lineOf = ({ at, id, kind, status, reason, ms }: ForwardedDelivery): string =>
  `${at.slice(11, 19)}  ${id}  ${kind.padEnd(10)}  ${status === undefined ? `– ${reason ?? ''}` : String(status)}${ms === undefined ? '' : `  ${String(ms)} ms`}`;

import { explainRequest, type ExplainOptions } from '../tasks/explain-request';
import { exitCodes, type RegisterCommand } from './command-io';

const help = `
Ends with 1 where the mistake is unknown.

Examples:
  pierhead explain --settings signature.json refused.txt
  pierhead explain --url http://localhost:8080 --token-file data/operator-token --app app_sandbx refused.txt
  pierhead explain --url http://localhost:8080 --token-file data/operator-token --exchange 0198c0de-… --json`;

/** `pierhead explain`: explains the mistake in a signature. */
export const registerExplain: RegisterCommand = (program, io) => {
  program
    .command('explain')
    .description('explain the signature of a saved request')
    .argument('[file]', 'the request as HTTP text: request line, headers, blank line, body; - for standard input')
    .option('--settings <file>', 'offline: signature settings in JSON as in the manage API, with hmac_secret or partner_public_key')
    .option('--base-url <url>', 'offline: the public address of the service; https and the Host header unless given')
    .option('--merchant-id <id>', "offline: the integration's merchant id")
    .option('--received-at <time>', 'when the request came in, RFC 3339; now unless given')
    .option('--url <url>', 'ask the service there')
    .option('--token-file <file>', 'with --url: the file that holds the operator token')
    .option('--app <id>', 'with --url: the miniapp that signed')
    .option('--host-app <id>', 'with --url: the host app that signed')
    .option('--exchange <id>', 'with --url: explain the request of this refused exchange, no file')
    .option('--language <name>', 'of the signing code: typescript, python, java, go, php or shell', 'shell')
    .option('--json', 'print the explanation as the manage API gives it')
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: ExplainOptions) => {
      const known = await explainRequest(file, options, { print: io.out, colour: io.colour });
      if (!known) io.endWith(exitCodes.failed);
    });
};

import { InvalidArgumentError, Option } from 'commander';
import type { Role } from '../../conformance/ports';
import { jsonReport } from '../../conformance/reports/json-report';
import { textReport } from '../../conformance/reports/text-report';
import { scoreOf } from '../../conformance/run-scenarios';
import { chosen } from '../../conformance/scenarios/all-scenarios';
import { WrongUsage } from '../tasks/explain-request';
import { runConform, writeReports, type ConformOptions } from '../conform/run-conform';
import { conformProgress } from '../conform/conform-progress';
import { exitCodes, printJson, printLine, type RegisterCommand } from './command-io';

const help = `
Ends with 0 where all passed that applies, with 1 where something did not, and with 2 where the partner could not be driven to
the end. The settings are the fields of the manage API, with client_id, app_id, secret_key, signature.platform_private_key and
test beside them; see docs/guides/conformance.md. Without any URL in them, the paths are those of the sandbox partners.

Examples:
  pierhead conform --role miniapp --url https://staging.miniapp.example --settings conform.json
  pierhead conform --role host-app --url https://staging.host.example --settings conform.json --html report.html --junit report.xml
  pierhead conform --role miniapp --url http://localhost:3000 --set app_id=app_abc123 --set secret_key=… --only webhook
  pierhead conform --role host-app --list`;

interface Flags extends Omit<ConformOptions, 'url'> {
  readonly url?: string;
  readonly only?: readonly string[];
  readonly list?: boolean;
  readonly json?: boolean;
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

function milliseconds(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 10 && value <= 600_000) return value;
  throw new InvalidArgumentError('must be 10 to 600000');
}

/** `pierhead conform`: drives a partner's real endpoints as the service would, and reports every difference from the contract. */
export const registerConform: RegisterCommand = (program, io) => {
  program
    .command('conform')
    .description("drive a partner's own endpoints through the contract and report every difference")
    .addOption(new Option('--role <role>', 'which partner it is').choices(['miniapp', 'host-app']).makeOptionMandatory())
    .option('--url <base>', 'the base address of the partner')
    .option('--settings <file>', 'what was agreed on, in JSON: the fields of the manage API')
    .option('--set <name=text>', 'one of them, over the file, as name=text or name:=JSON; may be repeated', collect)
    .option('--only <group or id>', 'some scenarios alone; may be repeated', collect)
    .option('--list', 'print the scenarios and send nothing')
    .option('--timeout-ms <ms>', 'how long each call may take; as in the contract unless given', milliseconds)
    .option('--junit <file>', 'write the report as JUnit XML')
    .option('--html <file>', 'write the report as one HTML page')
    .option('--badge <file>', 'write the score as an SVG badge')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', help)
    .action(async ({ url, only = [], list, json, ...options }: Flags) => {
      const scenarios = scenariosNamed(options.role, only);
      if (list) {
        for (const { id, title } of scenarios) printLine(io, `${id.padEnd(36)} ${title}`);
        return;
      }
      if (url === undefined) throw new WrongUsage('--url is needed: the base address of the partner');
      const progress = conformProgress(io, scenarios.length);
      const report = await runConform({ ...options, url }, scenarios, progress.report);
      progress.end();
      if (json) printJson(io, jsonReport(report));
      else io.out(textReport(report, io));
      await writeReports(report, { ...options, url });
      const { failed, 'not-run': notRun } = scoreOf(report);
      if (report.stopped !== undefined) io.endWith(exitCodes.unusable);
      else if (failed + notRun > 0) io.endWith(exitCodes.failed);
    });
};

function scenariosNamed(role: Role, names: readonly string[]) {
  const scenarios = chosen(role, names);
  if ('unknown' in scenarios) throw new WrongUsage(`--only ${scenarios.unknown}: no group or scenario of that name; --list shows them`);
  return scenarios;
}

import { auditLines, verifyAudit } from '../tasks/audit-once';
import { exitCodes, printJson, printLine, type RegisterCommand } from './command-io';

const help = `
Ends with 1 where the chain breaks.

Examples:
  DATABASE_URL=postgres://pierhead@db/pierhead pierhead audit verify
  DATABASE_URL=postgres://pierhead@db/pierhead pierhead audit verify --json
  pierhead audit verify --kept 1204:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`;

/** `pierhead audit verify`: verifies the audit trail of the manage API. */
export const registerAudit: RegisterCommand = (program, io) => {
  program
    .command('audit')
    .description('the audit trail of the manage API')
    .command('verify')
    .description('walk along the chain of DATABASE_URL (or of the embedded database, while the service is stopped)')
    .option('--kept <id:hash>', 'an entry as an earlier walk or the log has printed it, kept apart from the database')
    .option('--json', 'print the verdict as JSON')
    .addHelpText('after', help)
    .action(async ({ kept, json }: { kept?: string; json?: true }) => {
      const verdict = await verifyAudit(io.settings(), kept);
      const isWhole = verdict.broken === undefined;
      if (json) printJson(io, { whole: isWhole, ...verdict });
      else for (const line of auditLines(verdict)) printLine(io, line);
      if (!isWhole) io.endWith(exitCodes.failed);
    });
};

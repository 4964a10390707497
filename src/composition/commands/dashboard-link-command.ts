import { makeDashboardLink } from '../tasks/dashboard-link';
import { printJson, printLine, type RegisterCommand } from './command-io';

const help = `
Links that were made before work no more. While the embedded database serves, its start has printed one; another comes from
POST /manage/v1/operator-links with the operator token.

Examples:
  DATABASE_URL=postgres://pierhead@db/pierhead PUBLIC_BASE_URL=https://pierhead.example pierhead dashboard-link
  DATABASE_URL=postgres://pierhead@db/pierhead pierhead dashboard-link --json`;

/** `pierhead dashboard-link`: prints a one-time link that signs the operator in to the dashboard. */
export const registerDashboardLink: RegisterCommand = (program, io) => {
  program
    .command('dashboard-link')
    .description('print a one-time link, good for a day, that signs the operator in to the dashboard of DATABASE_URL')
    .option('--json', 'print it as JSON')
    .addHelpText('after', help)
    .action(async ({ json }: { json?: true }) => {
      const { url, expiresAt } = await makeDashboardLink(io.settings());
      if (json) printJson(io, { url, expires_at: expiresAt });
      else printLine(io, url);
    });
};

import { measuredClock } from '../../adapters/out/postgres/clock/clock-watch';
import { PostgresAccountRepository } from '../../adapters/out/postgres/accounts/postgres-account-repository';
import { RandomAccountTokenGenerator } from '../../adapters/out/secrets/random-account-token-generator';
import { RandomSecretGenerator } from '../../adapters/out/system/secret-generator';
import type { Settings } from '../../config/settings';
import { ManageAccounts } from '../../domain/accounts/manage-accounts';
import { withDatabase } from './with-database';

/**
 * Creates a one-time link that signs the operator in to the dashboard, and returns its expiry. Access to the database is the only
 * requirement.
 */
export async function makeDashboardLink(settings: Settings): Promise<{ readonly url: string; readonly expiresAt: string }> {
  const link = await withDatabase(settings, async ({ db }) => {
    const technique = { tokens: new RandomAccountTokenGenerator(), secrets: new RandomSecretGenerator(), clock: await measuredClock(db) };
    const accounts = new ManageAccounts({ ...technique, accounts: new PostgresAccountRepository(db) });
    return accounts.operatorLink({ actor: 'operator', requestId: 'dashboard-link' });
  });
  return {
    url: `${settings.publicBaseUrl}/dashboard/sign-in#${link.token.reveal()}`,
    expiresAt: new Date(link.expiresAt).toISOString(),
  };
}

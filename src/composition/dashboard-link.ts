import { measuredClock } from '../adapters/out/postgres/clock/clock-watch';
import { PostgresAccountRepository } from '../adapters/out/postgres/accounts/postgres-account-repository';
import { RandomAccountTokens } from '../adapters/out/secrets/random-account-tokens';
import { RandomSecretSource } from '../adapters/out/system/secret-source';
import type { Settings } from '../config/settings';
import { ManageAccounts } from '../domain/accounts/manage-accounts';
import { withDatabase } from './with-database';

/** A one-time link that signs the operator in to the dashboard, and until when it works. Whoever has the database may have one. */
export async function makeDashboardLink(settings: Settings): Promise<{ readonly url: string; readonly expiresAt: string }> {
  const link = await withDatabase(settings, async ({ db }) => {
    const technique = { tokens: new RandomAccountTokens(), secrets: new RandomSecretSource(), clock: await measuredClock(db) };
    const accounts = new ManageAccounts({ ...technique, accounts: new PostgresAccountRepository(db) });
    return accounts.operatorLink({ actor: 'operator', requestId: 'dashboard-link' });
  });
  return {
    url: `${settings.publicBaseUrl}/dashboard/sign-in#${link.token.reveal()}`,
    expiresAt: new Date(link.expiresAt).toISOString(),
  };
}

import type { PostgresEvidenceLinkRepository } from '../adapters/out/postgres/evidence/postgres-evidence-link-repository';
import type { AccountRoutesDeps } from '../adapters/in/http/manage/account-routes';
import type { RefusedSessions } from '../adapters/in/http/manage/limits/refused-sessions';
import type { SessionRoutesDeps } from '../adapters/in/http/manage/session-routes';
import type { PostgresAccountRepository } from '../adapters/out/postgres/accounts/postgres-account-repository';
import type { PostgresSessionRepository } from '../adapters/out/postgres/accounts/postgres-session-repository';
import type { PostgresSignInDelays } from '../adapters/out/postgres/accounts/postgres-sign-in-delays';
import type { ManageAccounts } from '../domain/accounts/manage-accounts';
import type { AccountTokens } from '../domain/accounts/ports';
import type { SignIn } from '../domain/accounts/sign-in';
import type { UseSession } from '../domain/accounts/use-session';
import type { EvidenceLinks, EvidenceSigner } from '../domain/evidence/ports';
import { token } from './token';

/** Accounts, sessions and evidence for people, by name. */
export const peopleTokens = {
  postgresAccounts: token<PostgresAccountRepository>('postgresAccounts'),
  postgresSessions: token<PostgresSessionRepository>('postgresSessions'),
  postgresDelays: token<PostgresSignInDelays>('postgresDelays'),
  accountTokens: token<AccountTokens>('accountTokens'),
  signIn: token<SignIn>('signIn'),
  manageAccounts: token<ManageAccounts>('manageAccounts'),
  useSession: token<UseSession>('useSession'),
  refusedSessions: token<RefusedSessions>('refusedSessions'),
  people: token<SessionRoutesDeps & AccountRoutesDeps>('people'),
  postgresEvidence: token<PostgresEvidenceLinkRepository>('postgresEvidence'),
  evidenceLinks: token<EvidenceLinks>('evidenceLinks'),
  evidenceSigner: token<EvidenceSigner>('evidenceSigner'),
} as const;

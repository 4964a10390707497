import type { PostgresEvidenceLinkRepository } from '../../adapters/out/postgres/evidence/postgres-evidence-link-repository';
import type { AccountRoutesDeps } from '../../adapters/in/http/manage/accounts/account-routes';
import type { RefusedSessions } from '../../adapters/in/http/manage/limits/refused-sessions';
import type { SessionRoutesDeps } from '../../adapters/in/http/manage/accounts/session-routes';
import type { PostgresAccountRepository } from '../../adapters/out/postgres/accounts/postgres-account-repository';
import type { PostgresSessionRepository } from '../../adapters/out/postgres/accounts/postgres-session-repository';
import type { PostgresSignInDelayStore } from '../../adapters/out/postgres/accounts/postgres-sign-in-delay-store';
import type { AccountTokenGenerator } from '../../domain/accounts/ports';
import type { EvidenceLinkRepository, EvidenceSigner } from '../../domain/evidence/ports';
import { token } from './token';

/** The container keys of accounts, sessions and evidence. */
export const peopleTokens = {
  postgresAccounts: token<PostgresAccountRepository>('postgresAccounts'),
  postgresSessions: token<PostgresSessionRepository>('postgresSessions'),
  postgresDelays: token<PostgresSignInDelayStore>('postgresDelays'),
  accountTokens: token<AccountTokenGenerator>('accountTokens'),
  refusedSessions: token<RefusedSessions>('refusedSessions'),
  people: token<SessionRoutesDeps & AccountRoutesDeps>('people'),
  postgresEvidence: token<PostgresEvidenceLinkRepository>('postgresEvidence'),
  evidenceLinks: token<EvidenceLinkRepository>('evidenceLinks'),
  evidenceSigner: token<EvidenceSigner>('evidenceSigner'),
} as const;

import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { use } from 'react';
import { request, manage } from './manage';
import { Problem } from './problem';
import { endSession, holdCsrf, holdToken, nextSession, thisSession } from './proof';

export type Role = 'operator' | 'host-app' | 'miniapp';

/** The signed-in role and partner. */
export interface Session {
  readonly role: Role;
  /** The Client ID or app id of a partner's account. */
  readonly app?: string | undefined;
  readonly name?: string | undefined;
  readonly environment: 'test' | 'live';
  readonly version?: string | undefined;
  /** Set while the operator views as this role; nothing can be changed then. */
  readonly viewAs?: { readonly role: Role; readonly app: string } | undefined;
  /** Absent with the operator token. */
  readonly account?: SignedInAccount | undefined;
}

export interface SignedInAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly has_password: boolean;
}

/** Credentials for the sign-in: an email and its password, or a one-time link's token with the password to set. */
export type Proof = { readonly email: string; readonly password: string } | { readonly token: string; readonly new_password?: string };

interface SessionAnswer {
  readonly role: Role;
  readonly app?: string | null;
  readonly display_name?: string | null;
  readonly csrf_token?: string | null;
  readonly environment?: 'test' | 'live';
  readonly version?: string;
  readonly view_as?: { readonly role: Role; readonly app: string } | null;
  readonly account?: SignedInAccount | null;
}

export const sessionQuery = queryOptions({
  queryKey: ['/session'],
  queryFn: async (): Promise<Session | null> => readSession(),
  staleTime: Infinity,
  retry: false,
});

/** The session, or `null` when nobody is signed in. */
async function readSession(): Promise<Session | null> {
  if (thisSession().aborted) nextSession();
  try {
    return sessionFrom(await manage<SessionAnswer>('GET', '/session'));
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    // A service without accounts accepts only the operator's token.
    if (error instanceof Problem && error.status === 404) return { role: 'operator', environment: 'test' };
    throw error;
  }
}

function sessionFrom({ csrf_token: csrf, environment = 'test', ...answer }: SessionAnswer): Session {
  holdCsrf(csrf ?? undefined);
  const { role, app, display_name: name, version, view_as: viewAs, account } = answer;
  const who = { role, app: app ?? undefined, name: name ?? undefined };
  return { ...who, environment, version, viewAs: viewAs ?? undefined, account: account ?? undefined };
}

/** Never settles. */
const untilTheGateCloses = new Promise<never>(() => undefined);

/**
 * The signed-in account; for use below the sign-in gate. After the session's end a component may render once more before the gate removes
 * it. It then suspends.
 */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  return data ?? use(untilTheGateCloses);
}

/** Signs in, switches the view and signs out; each call drops cached answers. */
export interface SignInActions {
  /** Signs in with the operator token, which this page keeps until it is left. */
  readonly byToken: (token: string) => Promise<void>;
  readonly by: (proof: Proof) => Promise<void>;
  /** Changes the password; other sessions of the account end. */
  readonly changePassword: (passwords: { readonly password?: string; readonly new_password: string }) => Promise<void>;
  /** Views as a partner, or as the operator again. */
  readonly viewAs: (as: { readonly role: Role; readonly app: string } | undefined) => Promise<void>;
  readonly out: () => Promise<void>;
}

/** The last sign-out. The next sign-in waits for it, because it deletes the cookie. */
let leaving: Promise<unknown> = Promise.resolve();

export function useSignIn(): SignInActions {
  const queries = useQueryClient();
  const become = (session: Session | null): void => {
    if (session) nextSession();
    else endSession();
    queries.removeQueries({ predicate: ({ queryKey: [path] }) => path !== sessionQuery.queryKey[0] });
    queries.setQueryData(sessionQuery.queryKey, session);
  };
  const begin = (answer: SessionAnswer): void => become(sessionFrom(answer));
  return {
    by: async (body) => {
      await leaving;
      nextSession();
      begin(await manage<SessionAnswer>('POST', '/session', { body }));
    },
    changePassword: async (body) => begin(await manage<SessionAnswer>('POST', '/session/password', { body })),
    viewAs: async (as) => {
      const body = as && { role: as.role, [as.role === 'host-app' ? 'client_id' : 'app_id']: as.app };
      begin(await manage<SessionAnswer>(body ? 'PUT' : 'DELETE', '/session/view-as', body ? { body } : {}));
    },
    byToken: async (token) => {
      holdToken(token);
      nextSession();
      try {
        await request('GET', '/host-apps', { query: { limit: 1 } });
      } catch (error) {
        holdToken(undefined);
        throw error;
      }
      become(await readSession());
    },
    out: async () => {
      // No request may follow the sign-out, so the page resets first.
      leaving = request('DELETE', '/session', { isLast: true }).catch(() => undefined);
      holdToken(undefined);
      holdCsrf(undefined);
      become(null);
      await leaving;
    },
  };
}

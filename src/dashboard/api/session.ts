import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { use } from 'react';
import { ask, manage } from './manage';
import { Problem } from './problem';
import { endSession, holdCsrf, holdToken, nextSession, thisSession } from './proof';

export type Role = 'operator' | 'host-app' | 'miniapp';

/** Who uses the dashboard, and of what. */
export interface Session {
  readonly role: Role;
  /** The Client ID or app id of a partner's account. */
  readonly app?: string | undefined;
  readonly name?: string | undefined;
  readonly environment: 'test' | 'live';
  readonly version?: string | undefined;
  /** The operator sees what this role would see, and changes nothing. */
  readonly viewAs?: { readonly role: Role; readonly app: string } | undefined;
  /** Absent: it is the operator token that is used, and no account. */
  readonly account?: SignedInAccount | undefined;
}

/** Who signed in. */
export interface SignedInAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly has_password: boolean;
}

/** What one signs in with: an email and its password, or a one-time link's token, with the password that it shall set. */
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

/** The session, or `null`: nobody is signed in. */
async function readSession(): Promise<Session | null> {
  if (thisSession().aborted) nextSession();
  try {
    return sessionFrom(await manage<SessionAnswer>('GET', '/session'));
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    // Without accounts the operator's token is all there is.
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
 * The signed-in account. Only below the sign-in gate. A part that waited for something may be drawn between the end of the session and the
 * moment in which the gate takes it away: it waits for that.
 */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  return data ?? use(untilTheGateCloses);
}

/** Ways in and out; each forgets earlier answers. */
export interface SignInWays {
  /** By the operator token, which this page holds until it is left. */
  readonly byToken: (token: string) => Promise<void>;
  readonly by: (proof: Proof) => Promise<void>;
  /** The password is another one from now on; other sessions of the account end. */
  readonly changePassword: (passwords: { readonly password?: string; readonly new_password: string }) => Promise<void>;
  /** The operator looks as a partner, or as itself. */
  readonly lookAs: (as: { readonly role: Role; readonly app: string } | undefined) => Promise<void>;
  readonly out: () => Promise<void>;
}

/** The last way out; whoever comes next waits for it, as it takes the cookie with it. */
let leaving: Promise<unknown> = Promise.resolve();

export function useSignIn(): SignInWays {
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
    lookAs: async (as) => {
      const body = as && { role: as.role, [as.role === 'host-app' ? 'client_id' : 'app_id']: as.app };
      begin(await manage<SessionAnswer>(body ? 'PUT' : 'DELETE', '/session/view-as', body ? { body } : {}));
    },
    byToken: async (token) => {
      holdToken(token);
      nextSession();
      try {
        await ask('GET', '/host-apps', { query: { limit: 1 } });
      } catch (error) {
        holdToken(undefined);
        throw error;
      }
      become(await readSession());
    },
    out: async () => {
      // Nothing is asked any more once it is sent: the page is left first.
      leaving = ask('DELETE', '/session', { isLast: true }).catch(() => undefined);
      holdToken(undefined);
      holdCsrf(undefined);
      become(null);
      await leaving;
    },
  };
}

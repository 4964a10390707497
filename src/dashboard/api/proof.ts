/**
 * How this page authenticates: with the session's cookie and, for changes, its CSRF token, or with the operator's token, which is kept only
 * in this variable.
 */
const held: { token?: string | undefined; csrf?: string | undefined } = {};
const listeners = new Set<() => void>();
let session = new AbortController();

export function holdToken(token: string | undefined): void {
  held.token = token;
}

export function holdCsrf(csrf: string | undefined): void {
  held.csrf = csrf;
}

/** Authentication headers of a request. */
export function proof(method: string): Record<string, string> {
  if (held.token !== undefined) return { Authorization: `Bearer ${held.token}` };
  return held.csrf !== undefined && method !== 'GET' ? { 'X-CSRF-Token': held.csrf } : {};
}

/** Notifies listeners that the session is over. */
export function signedOut(): void {
  endSession();
  for (const listener of listeners) listener();
}

/** Returns a function that unsubscribes. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Aborted when the session ends or changes, which cancels pending requests. */
export const thisSession = (): AbortSignal => session.signal;

/** Cancels pending requests and blocks new ones until the next session, so that it gets no late answers of this one. */
export const endSession = (): void => session.abort();

/** From now on requests belong to the next session, or to an attempt to sign in. */
export function nextSession(): void {
  endSession();
  session = new AbortController();
}

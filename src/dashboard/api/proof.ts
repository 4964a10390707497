/**
 * How this page proves who uses it: by the session's cookie and, for changes, its CSRF token; or by the operator's token, which
 * stays in this variable and is gone with the page.
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

/** The headers of a request. */
export function proof(method: string): Record<string, string> {
  if (held.token !== undefined) return { Authorization: `Bearer ${held.token}` };
  return held.csrf !== undefined && method !== 'GET' ? { 'X-CSRF-Token': held.csrf } : {};
}

/** Tells whoever listens that the service no longer knows us. */
export function signedOut(): void {
  endSession();
  for (const listener of listeners) listener();
}

/** Returns what to call to stop listening. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Aborted when the session ends or changes: pending requests are dropped with it. */
export const thisSession = (): AbortSignal => session.signal;

/** Drops pending requests, and new ones until the next session, so that it gets no late answer of this one. */
export const endSession = (): void => session.abort();

/** From now on requests belong to the next session, or the attempt at one. */
export function nextSession(): void {
  endSession();
  session = new AbortController();
}

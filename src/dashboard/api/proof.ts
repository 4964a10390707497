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

/** Aborted when whoever is signed in now no longer is, or is somebody else: what was asked before is dropped with it. */
export const thisSession = (): AbortSignal => session.signal;

/** Drops what is still being asked, so that no late answer is taken for one to whoever comes next, and what would be asked until then. */
export const endSession = (): void => session.abort();

/** From now on what is asked is whoever's who comes next, or tries to. */
export function nextSession(): void {
  endSession();
  session = new AbortController();
}

/** Log fields of an unexpected error: its class, its code and its first stack frame. */
export interface ErrorFields {
  readonly exception: string;
  /** The SQLSTATE or errno, such as `3D000` or `ECONNRESET`. Absent: the error has none. */
  readonly code?: string;
  /** A frame such as `at execute (…/connect-user.js:30:12)`. */
  readonly at: string | undefined;
}

/** The log fields of an unexpected error, without its message, which may quote data. */
export function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { exception: typeof error, at: undefined };
  const frame = error.stack?.split('\n').find((line) => /^\s+at /.test(line));
  return { exception: error.name, ...codeOf(error), at: frame?.trim() };
}

/** Of its cause, where that has one: an outage of the database has the driver's error. Codes only: another text may quote data. */
function codeOf(error: Error): { readonly code?: string } {
  for (const one of [error.cause, error]) {
    const code: unknown = one instanceof Error && 'code' in one ? one.code : undefined;
    if (typeof code === 'string' && /^[A-Z0-9_]{5,40}$/.test(code)) return { code };
  }
  return {};
}

/** Log fields of an unexpected error: its class and its first stack frame. */
export interface ErrorFields {
  readonly exception: string;
  /** A frame such as `at execute (…/connect-user.js:30:12)`. */
  readonly at: string | undefined;
}

/** The log fields of an unexpected error, without its message, which may quote data. */
export function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { exception: typeof error, at: undefined };
  const frame = error.stack?.split('\n').find((line) => /^\s+at /.test(line));
  return { exception: error.name, at: frame?.trim() };
}

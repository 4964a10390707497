/** What may be said of an error that is our own fault: its class, and the first place of its stack. */
export interface FaultFacts {
  readonly exception: string;
  /** A frame such as `at execute (…/connect-user.js:30:12)`. */
  readonly at: string | undefined;
}

/** Facts of a fault for the log. Its message stays out: it may quote data. */
export function factsOfFault(error: unknown): FaultFacts {
  if (!(error instanceof Error)) return { exception: typeof error, at: undefined };
  const frame = error.stack?.split('\n').find((line) => /^\s+at /.test(line));
  return { exception: error.name, at: frame?.trim() };
}

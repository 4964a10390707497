/** A recorded example of a call. */
export interface ManageExample {
  /** The request body, if the call has one. */
  readonly body?: unknown;
  /** The answer's body, if there is one. */
  readonly answer?: unknown;
  /** The answer of the second kind of success. */
  readonly or?: unknown;
}

/** Examples by operation id. */
export type ManageExamples = Readonly<Record<string, ManageExample>>;

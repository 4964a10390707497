/** One call as it was made once. */
export interface ManageExample {
  /** The request of a call that has a body. */
  readonly body?: unknown;
  /** The answer of a call that answers with a body. */
  readonly answer?: unknown;
  /** The other success, of a call that has two. */
  readonly or?: unknown;
}

/** Examples by the id of their operation. */
export type ManageExamples = Readonly<Record<string, ManageExample>>;

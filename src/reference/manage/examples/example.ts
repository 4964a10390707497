/** One call as it was made once. */
export interface ManageExample {
  /** What was asked, of a call that has a body. */
  readonly body?: unknown;
  /** What was answered, of a call that answers with a body. */
  readonly answer?: unknown;
  /** The other success, of a call that has two. */
  readonly or?: unknown;
}

/** Examples by the id of their operation. */
export type ManageExamples = Readonly<Record<string, ManageExample>>;

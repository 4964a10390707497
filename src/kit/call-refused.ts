/**
 * Refuses a call: thrown by the checks for a call without valid proof, and by your own code. `code` becomes the answer's `error_code`,
 * `message` its `error_message`, so neither may contain a secret.
 */
export class CallRefused extends Error {
  /** HTTP status. */
  readonly status: number;
  /** The mistake as a word or a header's name, if the check reports it. */
  readonly reason: string | undefined;

  constructor(
    readonly code: string,
    message: string,
    { status = 400, reason }: { readonly status?: number; readonly reason?: string | undefined } = {},
  ) {
    super(message);
    this.name = 'CallRefused';
    this.status = status;
    this.reason = reason;
  }
}

/**
 * A call that is not answered with what it asked for: thrown by the checks for a call that does not prove itself, and by your
 * own code to refuse one. `code` goes into the answer's `error_code`, `message` into its `error_message`: no secret may stand there.
 */
export class CallRefused extends Error {
  /** Of HTTP. */
  readonly status: number;
  /** The mistake, in a word or a header's name, where the checks say it. */
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

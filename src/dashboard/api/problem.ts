/** A rule that a request broke. */
export interface FieldProblem {
  readonly path: string;
  readonly rule: string;
}

/** A problem document of the manage API (RFC 9457). */
export interface ProblemDocument {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly request_id?: string;
  readonly errors?: readonly FieldProblem[];
}

/** A refusal of the manage API, or status 0 when it could not be reached. The message is for display. */
export class Problem extends Error {
  readonly kind: string;
  readonly errors: readonly FieldProblem[];

  constructor(
    readonly status: number,
    readonly document: ProblemDocument,
    /** Finds the request in the service's log. */
    readonly requestId: string | undefined,
  ) {
    super(document.detail ?? document.title ?? `Pierhead answered ${String(status)}`);
    this.kind = document.type?.split(':').at(-1) ?? '';
    this.errors = document.errors ?? [];
  }
}

/** The text of any error, for display. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'Something went wrong on this page');

/** The request id of an error of the manage API, if it has one. */
export const requestIdOf = (error: unknown): string | undefined => (error instanceof Problem ? error.requestId : undefined);

/** One rule that a request broke. */
export interface FieldProblem {
  readonly path: string;
  readonly rule: string;
}

/** What the manage API says where it refuses (RFC 9457). */
export interface ProblemDocument {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly request_id?: string;
  readonly errors?: readonly FieldProblem[];
}

/** The manage API refused, or could not be reached (status 0). The message is for people. */
export class Problem extends Error {
  readonly kind: string;
  readonly errors: readonly FieldProblem[];

  constructor(
    readonly status: number,
    readonly document: ProblemDocument,
    /** By which the service's log knows the request. */
    readonly requestId: string | undefined,
  ) {
    super(document.detail ?? document.title ?? `Pierhead answered ${String(status)}`);
    this.kind = document.type?.split(':').at(-1) ?? '';
    this.errors = document.errors ?? [];
  }
}

/** What anything that was thrown says to people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'Something went wrong on this page');

/** The request id of an error, where the manage API gave one. */
export const requestIdOf = (error: unknown): string | undefined => (error instanceof Problem ? error.requestId : undefined);

/** Who takes part in the playground, from left to right as its page shows them. */
export const lanes = ['miniapp page', 'host page', 'host app', 'Pierhead', 'miniapp'] as const;
export type Lane = (typeof lanes)[number];

/** One call between two of them, as the playground's page shows it. No header, body, token or unmasked reference. */
export interface PlaygroundLeg {
  /** The same each time that it is read. */
  readonly id: string;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  readonly from: Lane;
  readonly to: Lane;
  /** Method and path, or the name of a message between two pages. */
  readonly call: string;
  /** The HTTP status; absent: no answer came, or none is due. */
  readonly status?: number;
  readonly ms: number;
  /** 1, and one more for each time that it was tried again. */
  readonly attempt: number;
  /** The `error_code` that it ended with; absent: it went well. */
  readonly code?: string;
  /** What went wrong and who has to act, in words. */
  readonly verdict?: string;
  /** That it is signed, and with what; absent: it is not. */
  readonly proof?: string;
  /** The id of the leg that it came of. */
  readonly of?: string;
  /** What else is known of it, by name. */
  readonly facts: Readonly<Record<string, string>>;
}

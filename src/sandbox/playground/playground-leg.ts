/** The participants of the playground, from left to right. */
export const lanes = ['miniapp page', 'host page', 'host app', 'Pierhead', 'miniapp'] as const;
export type Lane = (typeof lanes)[number];

/** A call between two participants in the playground. It contains no header, body, token or unmasked reference. */
export interface PlaygroundLeg {
  /** Stable over repeated reads. */
  readonly id: string;
  /** Start in milliseconds since the epoch. */
  readonly at: number;
  readonly from: Lane;
  readonly to: Lane;
  /** Method and path, or the name of a message between two pages. */
  readonly call: string;
  /** The HTTP status. Absent when no answer came or none is expected. */
  readonly status?: number;
  readonly ms: number;
  /** Starts at 1 and counts retries. */
  readonly attempt: number;
  /** The resulting `error_code`. Absent after success. */
  readonly code?: string;
  /** Describes what went wrong and which side has to act. */
  readonly verdict?: string;
  /** The signature algorithm. Absent when the call is not signed. */
  readonly proof?: string;
  /** Id of the leg that caused it. */
  readonly of?: string;
  /** More facts for display, by name. */
  readonly details: Readonly<Record<string, string>>;
}

export const liveTopics = ['exchanges', 'payments', 'deliveries', 'audit', 'integrations'] as const;
export type LiveTopic = (typeof liveTopics)[number];

/** A change in a topic, and its pair. Where a side is absent, only the operator hears of it. */
export interface LiveChange {
  readonly topic: LiveTopic;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Looks for changes that were committed, by whichever instance. */
export interface ChangeWatch {
  /** What changed since the look before; the first look finds nothing. At most a few hundred of a kind. */
  look(): Promise<readonly LiveChange[]>;
}

export const liveTopics = ['exchanges', 'payments', 'deliveries', 'audit', 'integrations'] as const;
export type LiveTopic = (typeof liveTopics)[number];

/** A change in a topic, and the partners that it concerns. Without a partner, only the operator is notified. */
export interface LiveChange {
  readonly topic: LiveTopic;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Finds committed changes of any instance. */
export interface ChangeReader {
  /** Changes since the previous poll; the first poll finds none. At most a few hundred of a kind. */
  poll(): Promise<readonly LiveChange[]>;
}

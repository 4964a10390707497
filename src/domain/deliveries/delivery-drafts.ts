import type { Integration } from '../partners/integrations/integration';
import type { AuditEntry } from '../partners/ports';
import type { DueDelivery } from './delivery';

/** A delivery with its content. */
export type OpenedDelivery = Pick<DueDelivery, 'id' | 'integrationId' | 'content'>;

/** Reads the content of deliveries in any state. */
export interface DeliveryPayloadReader {
  /**
   * Reads the content, and writes the audit row in the same transaction. Resolves to `undefined`, and writes nothing, for an unknown
   * delivery.
   */
  open(id: string, audit: () => AuditEntry): Promise<OpenedDelivery | undefined>;
}

/** A complete request to a partner; only headers that the HTTP client adds by itself are missing. */
export interface DeliveryDraft {
  readonly method: string;
  readonly url: string;
  /** In the order in which they are sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Builds the request of an attempt without sending it. */
export interface DeliveryDrafts {
  /**
   * Builds what would be sent at `at` (milliseconds since the epoch), with the URL, credentials and signature that would be used now.
   * Sends nothing to that URL. Throws what `DeliveryGateway.deliver` throws before it sends.
   */
  draft(sending: {
    readonly integration: Integration;
    readonly delivery: Pick<OpenedDelivery, 'id' | 'content'>;
    readonly at: number;
    /** Deadline for credentials that must be requested first, in milliseconds since the epoch. */
    readonly deadline: number;
  }): Promise<DeliveryDraft>;
}

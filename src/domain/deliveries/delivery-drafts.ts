import type { Integration } from '../partners/integration';
import type { AuditEntry } from '../partners/ports';
import type { DueDelivery } from './delivery';

/** A delivery with its content. */
export type OpenedDelivery = Pick<DueDelivery, 'id' | 'integrationId' | 'owed'>;

/** Reads the content of deliveries, in any state. */
export interface OwedVault {
  /** Opens it together with the audit row. Resolves to `undefined`, and leaves no row, where there is no such delivery. */
  open(id: string, audit: () => AuditEntry): Promise<OpenedDelivery | undefined>;
}

/** A request to a partner, whole: nothing but what a transport adds by itself is missing. */
export interface DeliveryDraft {
  readonly method: string;
  readonly url: string;
  /** In the order in which they are sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Drafts attempts at deliveries. */
export interface DeliveryDrafts {
  /**
   * What would be sent at `at` (milliseconds since the epoch): to the URL and with the credentials that are stored now, the
   * signature made now. Nothing is sent to where it would go. Throws what `DeliveryGateway.deliver` throws before it sends.
   */
  draft(sending: {
    readonly integration: Integration;
    readonly delivery: Pick<OpenedDelivery, 'id' | 'owed'>;
    readonly at: number;
    /** By when credentials that have to be asked for must be there, in milliseconds since the epoch. */
    readonly deadline: number;
  }): Promise<DeliveryDraft>;
}

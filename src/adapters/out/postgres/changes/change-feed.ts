import type { IntegrationKey } from '../../../../domain/partners/ports';

/** What may have changed: a partner, an integration, or, after something unusual, anything. */
export type DirectoryChange = { readonly clientId: string } | { readonly appId: string } | IntegrationKey | 'anything';

/** Tells whether a cached record can be used without a check. */
export interface ChangeFeed {
  /**
   * True: every change after `readAt` that is older than a second has been received. `readAt` is taken before the read, in milliseconds of
   * the clock that cache and feed share. Synchronous.
   */
  covers(readAt: number): boolean;
}

/** A feed that starts and stops with the service. */
export interface PartnerFeed extends ChangeFeed {
  /**
   * Calls `onChange` for each change, and `onDue` when another instance reports that deliveries are due. Returns at once and
   * never fails.
   */
  start(onChange: (change: DirectoryChange) => void, onDue?: () => void): void;
  /** Publishes a change of this process at once, even while the feed is down. */
  publish(change: DirectoryChange): void;
  stop(): Promise<void>;
}

/** No changes are reported: every record must be checked again each second. */
export const noFeed: ChangeFeed = { covers: () => false };

/** A feed for the embedded database. Only one process writes it, so its own repositories publish every change. */
export class SoleWriterFeed implements PartnerFeed {
  private onChange: (change: DirectoryChange) => void = () => undefined;

  covers(): boolean {
    return true;
  }

  start(onChange: (change: DirectoryChange) => void): void {
    this.onChange = onChange;
  }

  publish(change: DirectoryChange): void {
    this.onChange(change);
  }

  async stop(): Promise<void> {
    this.onChange = () => undefined;
  }
}

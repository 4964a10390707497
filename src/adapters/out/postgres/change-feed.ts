import type { AgreementKey } from '../../../domain/partners/ports';

/** What may have changed: a partner, an integration, or, after something unusual, anything. */
export type DirectoryChange = { readonly clientId: string } | { readonly appId: string } | AgreementKey | 'anything';

/** How far a record can be relied on without another check. */
export interface ChangeFeed {
  /**
   * True: every change after `readAt` that is older than a second has been told. `readAt` is from before the reading, in the
   * milliseconds of the clock that cache and feed share. Never waits.
   */
  covers(readAt: number): boolean;
}

/** A feed that begins and ends with the service. */
export interface PartnerFeed extends ChangeFeed {
  /**
   * From now on tells changes, as soon as they are heard of, and when another instance says that deliveries are due. Returns at
   * once and never fails.
   */
  start(onChange: (change: DirectoryChange) => void, onDue?: () => void): void;
  /** A change that was made here: it is announced at once, whether or not the feed is there. */
  tell(change: DirectoryChange): void;
  stop(): Promise<void>;
}

/** Nobody tells anything: everything must be looked at again each second. */
export const noFeed: ChangeFeed = { covers: () => false };

/** The embedded database has one process: what its own repositories tell the directory is all that can happen. */
export class SoleWriterFeed implements PartnerFeed {
  private onChange: (change: DirectoryChange) => void = () => undefined;

  covers(): boolean {
    return true;
  }

  start(onChange: (change: DirectoryChange) => void): void {
    this.onChange = onChange;
  }

  tell(change: DirectoryChange): void {
    this.onChange(change);
  }

  async stop(): Promise<void> {
    this.onChange = () => undefined;
  }
}

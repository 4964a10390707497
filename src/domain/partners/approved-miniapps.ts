/** A miniapp as listed by the SDK of the host page. */
export interface ApprovedMiniapp {
  /** A random number below 2^53 that never changes for a miniapp. */
  readonly id: number;
  readonly appId: string;
  readonly name: string;
  readonly longDescription?: string | undefined;
  readonly logo?: string | undefined;
  readonly category?: string | undefined;
}

/** One page of the list, sorted by App ID, ascending. */
export interface ApprovedPage {
  /** 1 to 500. */
  readonly limit: number;
  /** The last App ID of the previous page. Absent for the first page. */
  readonly after?: string | undefined;
}

/**
 * Lists the miniapps that a host app may show: those with an accepted integration that is listed; none if the host app's list is not
 * public, or the host app is unknown. Source: contract/miniapps#public-list.
 */
export interface ApprovedMiniappReader {
  list(clientId: string, page: ApprovedPage): Promise<readonly ApprovedMiniapp[]>;
}

/** A miniapp as the host page's SDK lists it. */
export interface ApprovedMiniapp {
  /** A random number below 2^53, which stays the miniapp's. */
  readonly id: number;
  readonly appId: string;
  readonly name: string;
  readonly longDescription?: string | undefined;
  readonly logo?: string | undefined;
  readonly category?: string | undefined;
}

/** One page of a list, by App ID ascending. */
export interface ApprovedPage {
  /** 1 to 500. */
  readonly limit: number;
  /** The App ID that the page before ended with; absent: the first page. */
  readonly after?: string | undefined;
}

/**
 * The miniapps that a host app may show: those with an accepted integration, unless the host app keeps its list to itself or the
 * integration is not listed. Of an unknown host app there are none. Source: contract/miniapps#public-list.
 */
export interface ApprovedMiniapps {
  list(clientId: string, page: ApprovedPage): Promise<readonly ApprovedMiniapp[]>;
}

/** Which deliveries are counted: made in the range (milliseconds since the epoch, `from` included, `to` not), of a partner where one is named. */
export interface DeliveryFiguresRequest {
  readonly from: number;
  readonly to: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Where the bars of the attempts begin, rising; the last one has no end. */
export const attemptEdges: readonly number[] = [1, 2, 3, 4, 5, 6, 11];
/** Endpoints that are shown, those with most deliveries first. */
export const endpointsCounted = 50;
/** Points of a backlog's line. */
export const backlogPoints = 60;

/** How one endpoint takes what it is sent. */
export interface EndpointFigures {
  readonly lane: string;
  readonly count: number;
  readonly delivered: number;
  readonly failed: number;
  /** Received at the first attempt. */
  readonly firstTry: number;
  /** Attempted at least once. */
  readonly attempted: number;
  /** Deliveries by the number of their attempts, a number for each of `attemptEdges`. */
  readonly byAttempts: readonly number[];
}

/** How much was owed at a moment. */
export interface BacklogPoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly depth: number;
}

/** Pending deliveries, now and before. A delivery that was sent again counts as owed since it was made. */
export interface Backlog {
  readonly depth: number;
  /** Since when the oldest is owed, in milliseconds since the epoch. */
  readonly oldest?: number | undefined;
  /** `backlogPoints` of them, evenly from `from` to `to`. */
  readonly line: readonly BacklogPoint[];
}

/** Deliveries in numbers. */
export interface DeliveryFigures {
  /** `endpointsCounted` at most. */
  endpoints(request: DeliveryFiguresRequest): Promise<readonly EndpointFigures[]>;
  /** Of a range that ends now. */
  backlog(request: DeliveryFiguresRequest): Promise<Backlog>;
}

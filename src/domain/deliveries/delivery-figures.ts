/** Selects deliveries made in the range (milliseconds since the epoch, `from` included, `to` not), of one partner where it is named. */
export interface DeliveryFiguresRequest {
  readonly from: number;
  readonly to: number;
  readonly clientId?: string | undefined;
  readonly appId?: string | undefined;
}

/** Lower bounds of the attempt histogram's bars, ascending; the last bar is open-ended. */
export const attemptEdges: readonly number[] = [1, 2, 3, 4, 5, 6, 11];
/** Maximum number of endpoints shown, those with most deliveries first. */
export const endpointsCounted = 50;
/** Number of points in a backlog's chart. */
export const backlogPoints = 60;

/** Counts of one endpoint's deliveries. */
export interface EndpointFigures {
  readonly queue: string;
  readonly count: number;
  readonly delivered: number;
  readonly failed: number;
  /** Deliveries received at the first attempt. */
  readonly firstTry: number;
  /** Deliveries attempted at least once. */
  readonly attempted: number;
  /** Deliveries by number of attempts, one count per bar of `attemptEdges`. */
  readonly byAttempts: readonly number[];
}

/** Number of pending deliveries at a moment. */
export interface BacklogPoint {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly depth: number;
}

/** Pending deliveries now and over time. A resent delivery counts as pending since it was made. */
export interface Backlog {
  readonly depth: number;
  /** When the oldest pending delivery was queued, in milliseconds since the epoch. */
  readonly oldest?: number | undefined;
  /** `backlogPoints` points, spaced evenly from `from` to `to`. */
  readonly line: readonly BacklogPoint[];
}

/** Reads statistics of deliveries. */
export interface DeliveryFigureReader {
  /** Returns at most `endpointsCounted` endpoints. */
  endpoints(request: DeliveryFiguresRequest): Promise<readonly EndpointFigures[]>;
  /** The range must end now. */
  backlog(request: DeliveryFiguresRequest): Promise<Backlog>;
}

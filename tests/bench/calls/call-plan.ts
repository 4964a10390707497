import type { PeerName } from '../page/figures';
import type { PreparedRequest } from './prepared-calls';
import type { Side } from '../side';

/** What requests have caused. */
export interface Caused {
  readonly amiss: number;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
}

/** How one call is measured. */
export interface CallPlan {
  readonly name: string;
  /** What the caller proves itself with. */
  readonly credential: string;
  /** What it is compared with, by rounds that alternate. */
  readonly peers: readonly PeerName[];
  /** Each request is good for once: a round sends a number of them instead of some seconds of repeats. */
  readonly once: boolean;
  /** How many requests tell its pace, where each is good for once. */
  readonly first?: number;
  /** Absent: as many as all calls have. */
  readonly connections?: number;
  prepare(count: number): PreparedRequest[] | Promise<PreparedRequest[]>;
  /** Comes right before the requests are sent. */
  begin?(): Promise<void>;
  /** Waits for what the requests have caused; resolves to what of it is missing or too much, and when the last of it was. */
  afterwards?(count: number): Promise<Caused>;
}

/** Of `sendOnce`. Where the disk stalls, more at once would wait so long for the database that the service refuses some. */
const connections = 16;

/** Sends what a load needs before it. Throws where any of it was not answered with 200, with the answer, and the logged complaint. */
export async function sendOnce(side: Side, requests: readonly PreparedRequest[]): Promise<void> {
  const { ok, statuses } = await side.context.driver.run({ url: side.url, requests, connections, once: true });
  if (ok === requests.length) return;
  const result = { path: requests[0]?.path, of: requests.length, statuses, complaints: Object.fromEntries(await side.complaints()) };
  throw new Error(`Not all was done that a load needs: ${JSON.stringify(result)}`);
}

import { setTimeout as pause } from 'node:timers/promises';
import { ManageCallFailed, type ManageCalls } from '../../sandbox/manage-calls';
import { memberOf } from '../../sandbox/read-body';
import { Recent } from '../../sandbox/partners/recent';

/** A delivery as the manage API lists it. */
export interface ListedDelivery {
  readonly id: string;
  readonly kind: string;
  readonly receiver: string;
  readonly created_at: string;
  readonly resent_at?: string;
}

/** The deliveries to watch, and callbacks for the service's state. */
export interface Watch {
  readonly manage: Pick<ManageCalls, 'send'>;
  /** The filter of the manage API's list: client_id, app_id. */
  readonly filter: Readonly<Record<string, string>>;
  /** Includes deliveries queued since this time, in milliseconds since the epoch. Absent: only new ones. */
  readonly since?: number | undefined;
  readonly stopping: AbortSignal;
  /** The pause between two polls, in milliseconds; a second by default. */
  readonly everyMs?: number;
  readonly onAway: () => void;
  readonly onBack: () => void;
}

const pageSize = 200;
/** A delivery appears after its commit but has the time of its call, so each poll searches back this far, in milliseconds. */
const overlapMs = 60_000;
/** Statuses of a service that is restarting or overloaded. */
const away = [429, 500, 502, 503, 504];

/** Repeats a call until the service answers; `undefined` after a request to stop. Throws ManageCallFailed when the service refuses. */
export async function callPatiently(
  { manage, stopping, everyMs, onAway, onBack }: Omit<Watch, 'filter' | 'since'>,
  ...[method, path, accepted]: [method: 'GET' | 'POST', path: string, accepted: readonly number[]]
) {
  for (let wasAway = false; !stopping.aborted;) {
    const answer = await manage.send(method, path, [...accepted, ...away]).catch((error: unknown) => {
      if (error instanceof ManageCallFailed) throw error;
      return undefined; // nobody answers
    });
    if (answer && !away.includes(answer.status)) {
      if (wasAway) onBack();
      return answer;
    }
    if (!wasAway) onAway();
    wasAway = true;
    await rest({ stopping, everyMs });
  }
  return undefined;
}

/** Yields deliveries as they arrive, oldest first, each once, and again after each resend. Ends when a stop is requested. */
export async function* watchDeliveries(watch: Watch): AsyncGenerator<ListedDelivery> {
  const seen = new Recent<string>();
  const isNew = ({ id, resent_at: resentAt = '' }: ListedDelivery): boolean => seen.get(id) !== resentAt;
  let from = watch.since;
  let isFirst = true;
  while (!watch.stopping.aborted) {
    const fresh = await listNew(watch, from, isFirst && watch.since === undefined ? () => false : isNew);
    for (const delivery of fresh.listed) {
      from = Math.max(from ?? 0, Date.parse(delivery.created_at) - overlapMs);
      if (fresh.wanted.includes(delivery)) yield delivery;
      seen.set(delivery.id, delivery.resent_at ?? '');
    }
    isFirst = false;
    await rest(watch);
  }
}

/** Reads pages back to one without wanted deliveries. Returns the oldest first. */
async function listNew(watch: Watch, from: number | undefined, isWanted: (one: ListedDelivery) => boolean) {
  const listed: ListedDelivery[] = [];
  const wanted: ListedDelivery[] = [];
  let cursor: unknown;
  do {
    const query = new URLSearchParams({
      ...{ ...watch.filter, limit: String(pageSize) },
      ...(from !== undefined && { from: new Date(from).toISOString() }),
      ...(typeof cursor === 'string' && { cursor }),
    });
    const answer = await callPatiently(watch, 'GET', `deliveries?${query.toString()}`, [200]);
    const page = (memberOf(answer?.body, 'data') ?? []) as readonly ListedDelivery[];
    const found = page.filter(isWanted);
    listed.push(...page);
    wanted.push(...found);
    cursor = found.length > 0 ? memberOf(answer?.body, 'next_cursor') : undefined;
  } while (typeof cursor === 'string');
  return { listed: listed.reverse(), wanted };
}

const rest = ({ stopping, everyMs = 1000 }: { stopping: AbortSignal; everyMs?: number | undefined }): Promise<void> =>
  pause(everyMs, undefined, { signal: stopping }).catch(() => undefined);

import type { Tone } from '../../parts/state-badge';

/** A delivery in the manage API; times in RFC 3339. */
export interface Delivery {
  readonly id: string;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly kind: 'completion' | 'event';
  readonly receiver: 'hostapp' | 'miniapp';
  readonly queue: string;
  readonly payment_id?: string;
  readonly state: 'ready' | 'parked' | 'delivered' | 'failed';
  readonly parked_by?: string;
  readonly attempt_count: number;
  readonly planned_attempts: number;
  readonly due_at?: string;
  readonly created_at: string;
  readonly ended_at?: string;
  readonly resent_at?: string;
  readonly last_attempt_at?: string;
  readonly last_status?: number;
  readonly last_error_code?: string;
  readonly last_cause?: string;
  readonly aborted_reason?: string;
}

export interface Attempt {
  readonly reason: 'schedule' | 'probe' | 'release' | 'operator';
  readonly at: string;
  readonly ms: number;
  readonly status?: number;
  readonly error_code?: string;
  readonly cause?: string;
}

export interface DeliveryDetail extends Delivery {
  readonly attempts: readonly Attempt[];
  readonly planned?: readonly string[];
}

/** The endpoint queue of a partner. */
export interface Queue {
  readonly queue: string;
  readonly state: 'clear' | 'failing' | 'open' | 'half-open' | 'recovering' | 'paused';
  readonly failures: number;
  readonly waiting: number;
  readonly oldest?: string;
  readonly next_probe_at?: string;
  readonly paused?: { readonly at: string; readonly by: string; readonly reason: string };
}

/** A resend of many deliveries. */
export interface Resend {
  readonly id: string;
  readonly state: 'running' | 'done' | 'cancelled';
  readonly count: number;
  readonly per_second: number;
  readonly created_at: string;
  readonly ended_at?: string;
}

export interface Endpoint {
  readonly queue: string;
  readonly count: number;
  readonly delivered: number;
  readonly failed: number;
  readonly first_try: number;
  readonly attempted: number;
  readonly by_attempts: readonly number[];
}

export interface DeliveryFigureReader {
  readonly attempt_edges: readonly number[];
  readonly endpoints: readonly Endpoint[];
  readonly backlog?: {
    readonly depth: number;
    readonly oldest?: string;
    readonly line: readonly { readonly at: string; readonly depth: number }[];
  };
}

export type BadgeStyle = readonly [tone: Tone, words: string];

/** The state of a delivery in words. */
export function stateOf({ state, attempt_count: count, aborted_reason: aborted }: Delivery): BadgeStyle {
  if (state === 'delivered') return ['good', 'delivered'];
  if (state === 'failed') return ['bad', aborted === undefined ? 'dead letter' : 'aborted'];
  if (state === 'parked') return ['warn', 'parked'];
  return count === 0 ? ['wait', 'content'] : ['warn', 'retrying'];
}

const queueProbes: Readonly<Record<Queue['state'], BadgeStyle>> = {
  clear: ['good', 'well'],
  failing: ['warn', 'in trouble'],
  open: ['bad', 'away'],
  'half-open': ['wait', 'half-open'],
  recovering: ['wait', 'recovering'],
  paused: ['info', 'paused'],
};

export const queueProbe = ({ state }: Pick<Queue, 'state'>): BadgeStyle => queueProbes[state];

/** `completions to app_…`: a queue in words. */
export function queueWords(queue: string): string {
  const [, id = '', kind = ''] = queue.split(':');
  return `${kind}s to ${id}`;
}

/** The result of an attempt: the status, or why there was none. */
export const answerWords = ({ status, error_code: code, cause }: Pick<Attempt, 'status' | 'error_code' | 'cause'>): string =>
  [status, cause === `http-${String(status)}` ? undefined : cause, code === 'UNEXPECTED_RESPONSE_ERROR' ? undefined : code]
    .filter((part) => part !== undefined)
    .join(' · ') || 'no answer';

export const isReceipt = ({ status }: Pick<Attempt, 'status'>): boolean => status !== undefined && status >= 200 && status < 300;

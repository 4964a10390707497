import { plural } from '../../parts/plural';
import type { Tone } from '../../parts/state-badge';

export type PaymentStatus = 'in_process' | 'paid' | 'cancelled' | 'failed';
export type DeliveryState = 'ready' | 'parked' | 'delivered' | 'failed';

/** A payment in the manage API; times in RFC 3339. */
export interface Payment {
  readonly id: string;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly order_payment_id?: string;
  readonly order_id?: string;
  readonly creation: 'begun' | 'opened' | 'repeated' | 'refused' | 'unanswered';
  readonly status: PaymentStatus;
  /** Absent when the stored row cannot be decrypted, like the currency. */
  readonly amount?: string;
  readonly currency?: string;
  readonly unreadable?: true;
  readonly created_at: string;
  readonly settled_at?: string;
  readonly polls: number;
  readonly last_poll_at?: string;
  readonly last_outcome?: string;
  readonly next_poll_at?: string;
  readonly notice?: DeliveryState;
  readonly open_conflicts: number;
}

/** A report that contradicts the accepted result. */
export interface Disagreement {
  readonly id: string;
  readonly kind: 'conflict' | 'difference';
  /** The reported status. Absent when its row cannot be decrypted. */
  readonly payment_status?: string;
  readonly differs_in: readonly string[];
  readonly request_id: string;
  readonly at: string;
  readonly resolved?: { readonly at: string; readonly by: string; readonly reason: string };
}

export interface PaymentDetail extends Payment {
  readonly result?: { readonly payment_status: string; readonly request_id: string; readonly at: string };
  readonly disagreements: readonly Disagreement[];
}

export interface PaymentFigureReader {
  readonly funnel: { readonly created: number; readonly accepted: number; readonly final: number; readonly noticed: number };
  readonly in_process: number;
  readonly overdue: number;
  readonly time_to_final: {
    readonly bars: readonly { readonly from_ms: number; readonly to_ms?: number; readonly final: number; readonly overdue: number }[];
    readonly p50_ms?: number;
    readonly p95_ms?: number;
  };
}

type BadgeStyle = readonly [tone: Tone, words: string];

/** The state of a payment: a failed creation, else the payment's status. */
export function stateOf({ creation, status }: Pick<Payment, 'creation' | 'status'>): BadgeStyle {
  if (creation === 'refused') return ['bad', 'refused by the host app'];
  if (creation === 'unanswered') return ['warn', 'creation unanswered'];
  if (creation === 'repeated') return ['quiet', 'repeat of another'];
  if (status === 'paid') return ['good', 'paid'];
  if (status === 'failed') return ['bad', 'failed'];
  if (status === 'cancelled') return ['quiet', 'cancelled'];
  return ['wait', creation === 'begun' ? 'being created' : 'in process'];
}

const notices: Readonly<Record<DeliveryState, BadgeStyle>> = {
  ready: ['wait', 'content'],
  parked: ['warn', 'parked'],
  delivered: ['good', 'delivered'],
  failed: ['bad', 'dead letter'],
};

/** The state of the webhook to the miniapp. `undefined` when none is pending. */
export const noticeOf = ({ notice }: Pick<Payment, 'notice'>): BadgeStyle | undefined => notice && notices[notice];

/** The host app's last answer, beside the stored state. */
export function hostStateOf({ last_outcome: outcome, status, open_conflicts: conflicts }: Payment): BadgeStyle {
  if (conflicts > 0) return ['bad', plural(conflicts, 'conflict')];
  if (outcome === undefined) return ['quiet', 'not asked'];
  const same = outcome === status || (status === 'in_process' && outcome === 'processing');
  if (same) return ['good', 'agrees'];
  return /^[a-z_]+$/.test(outcome) ? ['warn', `says ${outcome.replaceAll('_', ' ')}`] : ['warn', outcome];
}

/** Whether the host app has the payment, so that its status can be polled. */
export const canPoll = ({ order_payment_id: id }: Pick<Payment, 'order_payment_id'>): boolean => id !== undefined;

import { plural } from '../../parts/plural';
import type { Tone } from '../../parts/state-badge';

export type PaymentStatus = 'in_process' | 'paid' | 'cancelled' | 'failed';
export type DeliveryState = 'ready' | 'parked' | 'delivered' | 'failed';

/** A payment as the manage API shows it; times in RFC 3339. */
export interface Payment {
  readonly id: string;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly order_payment_id?: string;
  readonly order_id?: string;
  readonly creation: 'begun' | 'opened' | 'repeated' | 'refused' | 'unanswered';
  readonly status: PaymentStatus;
  /** Absent where the stored row is unreadable, as is the currency. */
  readonly amount?: string;
  readonly currency?: string;
  readonly unreadable?: true;
  readonly created_at: string;
  readonly settled_at?: string;
  readonly asks: number;
  readonly last_ask_at?: string;
  readonly last_outcome?: string;
  readonly next_ask_at?: string;
  readonly notice?: DeliveryState;
  readonly open_conflicts: number;
}

/** A report that did not agree with the result that was taken. */
export interface Disagreement {
  readonly id: string;
  readonly kind: 'conflict' | 'difference';
  /** Absent: its stored row is unreadable. */
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

export interface PaymentFigures {
  readonly funnel: { readonly created: number; readonly accepted: number; readonly final: number; readonly noticed: number };
  readonly in_process: number;
  readonly overdue: number;
  readonly time_to_final: {
    readonly bars: readonly { readonly from_ms: number; readonly to_ms?: number; readonly final: number; readonly overdue: number }[];
    readonly p50_ms?: number;
    readonly p95_ms?: number;
  };
}

type Look = readonly [tone: Tone, words: string];

/** The state of a payment: how its creation went, where that failed, else how it stands. */
export function stateOf({ creation, status }: Pick<Payment, 'creation' | 'status'>): Look {
  if (creation === 'refused') return ['bad', 'refused by the host app'];
  if (creation === 'unanswered') return ['warn', 'creation unanswered'];
  if (creation === 'repeated') return ['quiet', 'repeat of another'];
  if (status === 'paid') return ['good', 'paid'];
  if (status === 'failed') return ['bad', 'failed'];
  if (status === 'cancelled') return ['quiet', 'cancelled'];
  return ['wait', creation === 'begun' ? 'being created' : 'in process'];
}

const notices: Readonly<Record<DeliveryState, Look>> = {
  ready: ['wait', 'owed'],
  parked: ['warn', 'parked'],
  delivered: ['good', 'delivered'],
  failed: ['bad', 'dead letter'],
};

/** How the notice to the miniapp stands; `undefined`: none is owed. */
export const noticeOf = ({ notice }: Pick<Payment, 'notice'>): Look | undefined => notice && notices[notice];

/** The host app's last answer, beside the stored state. */
export function hostStateOf({ last_outcome: said, status, open_conflicts: conflicts }: Payment): Look {
  if (conflicts > 0) return ['bad', plural(conflicts, 'conflict')];
  if (said === undefined) return ['quiet', 'not asked'];
  const same = said === status || (status === 'in_process' && said === 'processing');
  if (same) return ['good', 'agrees'];
  return /^[a-z_]+$/.test(said) ? ['warn', `says ${said.replaceAll('_', ' ')}`] : ['warn', said];
}

/** Whether the host app knows a payment that it can be asked about. */
export const canAsk = ({ order_payment_id: id }: Pick<Payment, 'order_payment_id'>): boolean => id !== undefined;

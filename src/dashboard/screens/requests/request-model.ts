export type Lane = 'hostapp' | 'platform' | 'miniapp';
export type Side = 'nobody' | Lane | 'operator';
export type CheckName = 'basic' | 'signature' | 'address';
export type Mark = 'passed' | 'refused' | 'not-checked';

/** The side that has to act, and the next step. */
export interface Verdict {
  readonly side: Side;
  readonly sentence: string;
  readonly next?: string;
}

/** A call as the manage API lists it. */
export interface ExchangeRow {
  readonly id: string;
  readonly request_id: string;
  readonly call: string;
  readonly from: Lane;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly reference?: string;
  readonly at: string;
  readonly ms: number;
  readonly status: number;
  readonly error_code?: string;
  readonly failed_side?: string;
  readonly checks: readonly CheckName[];
  readonly refused?: { readonly check: CheckName; readonly of: Lane };
  readonly part_of?: string;
  readonly verdict: Verdict;
}

/** The details of a call. */
export interface ExchangeDetail extends ExchangeRow {
  /** Set while the refused request is still stored. */
  readonly explainable?: boolean;
  readonly curl?: string;
}

/** A line between two lanes. */
export interface Step {
  readonly kind: 'call' | 'leg' | 'poll' | 'attempt' | 'planned';
  readonly from: Lane;
  readonly to: Lane;
  readonly what: string;
  readonly at: string;
  readonly ms?: number;
  readonly status?: number;
  readonly error_code?: string;
  readonly cause?: string;
  readonly attempt: number;
  readonly after_unauthorized?: boolean;
  readonly checks?: Readonly<Record<CheckName, Mark>>;
  readonly request_id?: string;
  readonly exchange_id?: string;
  readonly delivery_id?: string;
}

export interface TimelineAnswer {
  readonly kind: 'exchange' | 'payment' | 'delivery';
  readonly id: string;
  readonly client_id?: string;
  readonly app_id?: string;
  readonly verdict: Verdict;
  readonly split_ms: Readonly<Record<Lane, number>>;
  readonly payment?: { readonly id: string; readonly status: string; readonly order_payment_id?: string };
  readonly delivery?: { readonly id: string; readonly state: string };
  readonly exchanges: readonly ExchangeRow[];
  readonly steps: readonly Step[];
}

export const checkNames: readonly CheckName[] = ['basic', 'signature', 'address'];

/** The result of each check of a call. */
export const marksOf = ({ checks, refused }: Pick<ExchangeRow, 'checks' | 'refused'>): Record<CheckName, Mark> => {
  const mark = (name: CheckName): Mark => (refused?.check === name ? 'refused' : checks.includes(name) ? 'passed' : 'not-checked');
  return { basic: mark('basic'), signature: mark('signature'), address: mark('address') };
};

export const queueTitles: Readonly<Record<Lane, string>> = { hostapp: 'Host app', platform: 'Pierhead', miniapp: 'Miniapp' };
export const sideTitles: Readonly<Record<Side, string>> = {
  ...queueTitles,
  nobody: 'Nobody',
  operator: 'Operator',
};

const words: Readonly<Record<string, string>> = {
  exchange: 'get access token',
  refresh: 'refresh access token',
  user_data: 'get user data',
  miniapp_token: 'get auth token',
  client_token: 'get Pierhead’s token',
  create: 'create payment',
  status: 'ask payment status',
  webhook: 'completion notice',
  completion: 'completion notice',
  event: 'event',
  reconcile: 'reconciler',
  hostapp_event: 'event from host app',
  miniapp_event: 'event from miniapp',
};

/** Display name of a call or a step. */
export const callWords = (name: string): string => words[name] ?? name.replaceAll('_', ' ');

/** The display name as a heading. */
export const callTitle = (name: string): string => callWords(name).replace(/^./, (first) => first.toUpperCase());

/** All recorded calls. */
export const callNames = [
  ...['connect', 'authorize', 'partner/login', 'save_consent', 'revoke', 'create_order_payment', 'get_payment_status'],
  ...['complete_order', 'hostapp_event', 'miniapp_event', 'miniapp_transactions', 'reconcile'],
] as const;

/** `12 ms`, `1.4 s`. */
export const msWords = (ms: number): string =>
  ms < 1000 ? `${String(Math.round(ms))} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

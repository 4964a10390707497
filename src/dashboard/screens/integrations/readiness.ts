export interface ChecklistItem {
  readonly id: string;
  readonly title: string;
  readonly state: 'done' | 'missing' | 'failing' | 'off';
  readonly detail: string;
  readonly at?: string;
  readonly exchange_id?: string;
  readonly payment_id?: string;
  readonly delivery_id?: string;
}

/** The readiness of an integration. */
export interface Readiness {
  readonly mode: 'live' | 'test';
  readonly percent: number;
  readonly live?: { readonly at: string; readonly by: string; readonly reason?: string; readonly missing: readonly string[] };
  readonly items: readonly ChecklistItem[];
}

/** The readiness of one integration in a list. */
export interface ReadinessSummary extends Pick<Readiness, 'mode' | 'percent'> {
  readonly client_id: string;
  readonly app_id: string;
  /** Number of missing or wrong items. */
  readonly to_do: number;
  /** The next step. */
  readonly next?: Pick<ChecklistItem, 'id' | 'title' | 'state' | 'detail'>;
}

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

/** How ready an integration is. */
export interface Readiness {
  readonly mode: 'live' | 'test';
  readonly percent: number;
  readonly live?: { readonly at: string; readonly by: string; readonly reason?: string; readonly missing: readonly string[] };
  readonly items: readonly ChecklistItem[];
}

/** The same in short, of one of many. */
export interface ReadinessSummary extends Pick<Readiness, 'mode' | 'percent'> {
  readonly client_id: string;
  readonly app_id: string;
  /** How much of the checklist is missing or wrong. */
  readonly to_do: number;
  /** What to do first. */
  readonly next?: Pick<ChecklistItem, 'id' | 'title' | 'state' | 'detail'>;
}

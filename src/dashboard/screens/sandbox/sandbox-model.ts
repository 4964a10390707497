export interface Dials {
  readonly delay_ms: number;
  readonly error_percent: number;
  readonly malformed_percent: number;
  readonly refused_percent: number;
  readonly hang_percent: number;
}

export interface SimulatedPartner {
  readonly id: 'host-app' | 'miniapp';
  readonly url: string;
  readonly dials: Dials | null;
}

export interface Clock {
  readonly advanced_s: number;
  readonly in_flight: number;
  readonly next?: { readonly what: string; readonly id?: string; readonly in_s: number };
}

export interface Sandbox {
  readonly available: boolean;
  readonly partners?: readonly SimulatedPartner[];
  readonly clock?: Clock | null;
  readonly magic_values?: { readonly data: readonly { readonly cents: string; readonly name: string; readonly meaning: string }[] } | null;
}

export interface DemoLeg {
  readonly from: string;
  readonly to: string;
  readonly call: string;
  readonly status?: number;
  readonly ms: number;
  readonly problem?: string;
  readonly inner: boolean;
}

export interface DemoRun {
  readonly state: 'none' | 'running' | 'as-expected' | 'not-as-expected';
  readonly started_at?: string;
  readonly legs: readonly DemoLeg[];
}

export const partnerName = { 'host-app': 'Simulated host app', miniapp: 'Simulated miniapp' } as const;

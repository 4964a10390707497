export type Role = 'host-app' | 'miniapp';
export type Verdict = 'passed' | 'failed' | 'not_run' | 'not_applicable';

export interface Scenario {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly sent: string;
  readonly expected: string;
  readonly section: string;
  readonly quote: string;
}

export interface Run {
  readonly id: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  readonly role: Role;
  readonly client_id: string;
  readonly app_id: string;
  readonly target: string;
  readonly started_at: string;
  readonly ended_at?: string;
  readonly scenarios: number;
  readonly done: number;
  readonly only: readonly string[];
  readonly stopped?: string;
  readonly score: { readonly passed: number; readonly failed: number; readonly not_run: number; readonly not_applicable: number };
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

export interface Result {
  readonly id: string;
  readonly verdict: Verdict;
  readonly came: readonly string[];
  readonly reason?: string;
  readonly fix?: string;
  readonly ms: number;
}

export interface FullRun extends Run {
  readonly results: readonly Result[];
}

export const verdictTone = { passed: 'good', failed: 'bad', not_run: 'warn', not_applicable: 'quiet' } as const;
export const verdictWords = { passed: 'passed', failed: 'failed', not_run: 'not run', not_applicable: 'does not apply' } as const;

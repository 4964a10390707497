import type { LongRun } from '../operations/ports';

/** The kind of partner that is tested. */
export type ConformanceRole = 'host-app' | 'miniapp';

export type ConformanceVerdict = 'passed' | 'failed' | 'not-run' | 'not-applicable';

/** One test of a partner's behaviour. */
export interface ConformanceScenario {
  /** `group.name`. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly sent: string;
  readonly expected: string;
  /** Section and words of the contract that require it. */
  readonly section: string;
  readonly quote: string;
}

/** The result of one scenario. */
export interface ConformanceResult {
  readonly id: string;
  readonly verdict: ConformanceVerdict;
  /** Each answer in one line, without header values, bodies and tokens. */
  readonly came: readonly string[];
  readonly reason?: string | undefined;
  readonly fix?: string | undefined;
  readonly ms: number;
}

/** The partner's endpoints to test, and the scenarios. */
export interface ConformanceRequest {
  readonly role: ConformanceRole;
  readonly clientId: string;
  readonly appId: string;
  /** Names of groups and scenarios; empty: all. */
  readonly only: readonly string[];
  /** Users and data of the partner's test environment, as JSON (docs, conformance guide). Absent: none. */
  readonly test?: string | undefined;
}

export interface ConformanceProgress {
  /** The partner's base URL. */
  readonly target: string;
  /** Total number of scenarios. */
  readonly of: number;
  readonly results: readonly ConformanceResult[];
  /** Why the run ended early. */
  readonly stopped?: string | undefined;
}

export type ConformanceRun = LongRun<ConformanceRequest, ConformanceProgress>;

/** A prepared run. */
export interface ReadyDrive {
  readonly target: string;
  readonly of: number;
  /** Resolves to the final progress; stops when `report` resolves to true. */
  run(report: (progress: ConformanceProgress) => Promise<boolean>): Promise<ConformanceProgress>;
}

/** Calls a partner's endpoints as the service would. */
export interface PartnerDrive {
  scenarios(role: ConformanceRole): readonly ConformanceScenario[];
  /**
   * Prepares a run without sending anything. Throws InvalidInput where the partner or the request is not fit for a run,
   * UnknownIntegration.
   */
  prepare(request: ConformanceRequest): Promise<ReadyDrive>;
  /** Formats a run that has ended, as the command line does. */
  report(run: ConformanceRun, form: ReportForm): { readonly type: string; readonly text: string };
}

export const reportForms = ['json', 'junit', 'html', 'badge'] as const;
export type ReportForm = (typeof reportForms)[number];

import type { LongRun } from '../operations/ports';

/** Which of the two kinds of partner is driven. */
export type ConformanceRole = 'host-app' | 'miniapp';

export type ConformanceVerdict = 'passed' | 'failed' | 'not-run' | 'not-applicable';

/** One thing that is asked of a partner. */
export interface ConformanceScenario {
  /** `group.name`. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly sent: string;
  readonly expected: string;
  /** The line of the contract that says so: where it stands, and its words. */
  readonly place: string;
  readonly says: string;
}

/** How one scenario went. */
export interface ConformanceResult {
  readonly id: string;
  readonly verdict: ConformanceVerdict;
  /** Each answer in one line: no header value, body or token. */
  readonly came: readonly string[];
  readonly reason?: string | undefined;
  readonly fix?: string | undefined;
  readonly ms: number;
}

/** The endpoints to drive, and the scenarios. */
export interface ConformanceRequest {
  readonly role: ConformanceRole;
  readonly clientId: string;
  readonly appId: string;
  /** Groups and scenarios by name; empty: all. */
  readonly only: readonly string[];
  /** Whom and what the partner's test environment knows, as JSON (docs, conformance guide); absent: nothing. */
  readonly test?: string | undefined;
}

export interface ConformanceProgress {
  /** The base address of the partner. */
  readonly target: string;
  /** Scenarios in all. */
  readonly of: number;
  readonly results: readonly ConformanceResult[];
  /** Why the run ended before its end. */
  readonly stopped?: string | undefined;
}

export type ConformanceRun = LongRun<ConformanceRequest, ConformanceProgress>;

/** A run that is ready to be made. */
export interface ReadyDrive {
  readonly target: string;
  readonly of: number;
  /** Resolves to how far it came; stops where `tell` resolves to true. */
  run(tell: (progress: ConformanceProgress) => Promise<boolean>): Promise<ConformanceProgress>;
}

/** Drives a partner's own endpoints as the service would. */
export interface PartnerDrive {
  scenarios(role: ConformanceRole): readonly ConformanceScenario[];
  /** Sends nothing yet. Throws InvalidInput where the partner or the request is not fit for a run, UnknownAgreement. */
  prepare(request: ConformanceRequest): Promise<ReadyDrive>;
  /** A run that has ended, in one of the forms of the command line. */
  report(run: ConformanceRun, form: ReportForm): { readonly type: string; readonly text: string };
}

export const reportForms = ['json', 'junit', 'html', 'badge'] as const;
export type ReportForm = (typeof reportForms)[number];

import type { Bench } from './bench';
import type { ContractLine } from './contract-lines';
import type { RunState } from './run-state';
import type { Verdict } from './verdict';

/** One test of a partner. */
export interface Scenario {
  /** `group.name`: stable, for --only and for tools that read reports. */
  readonly id: string;
  readonly title: string;
  /** Describes the request in one line. */
  readonly sent: string;
  /** Describes the expected answer in one line. */
  readonly expected: string;
  /** The line of the contract that requires it. */
  readonly line: ContractLine;
  /** Advice for a failure in one line. */
  readonly fix: string;
  /** Resolves when the partner did as expected. Throws Unmet, DoesNotApply or Blocked. */
  readonly run: (bench: Bench, state: RunState) => Promise<void>;
}

/** The result of one scenario. */
export interface Result {
  readonly scenario: Scenario;
  readonly verdict: Verdict;
  /** Each answer in one line, without header values, bodies and tokens. */
  readonly came: readonly string[];
  /** Absent when the scenario passed. */
  readonly reason?: string | undefined;
  /** Set when the scenario failed. */
  readonly fix?: string | undefined;
  readonly ms: number;
}

export const groupOf = ({ id }: Pick<Scenario, 'id'>): string => id.slice(0, id.indexOf('.'));

import type { Bench } from './bench';
import type { ContractLine } from './contract-lines';
import type { RunState } from './run-state';
import type { Verdict } from './verdict';

/** One thing that is asked of a partner. */
export interface Scenario {
  /** `group.name`: stable, for --only and for whoever counts. */
  readonly id: string;
  readonly title: string;
  /** The request, in one line. */
  readonly sent: string;
  /** What must come, in one line. */
  readonly expected: string;
  /** The line of the contract that says so. */
  readonly line: ContractLine;
  /** What to do where it fails, in one line. */
  readonly fix: string;
  /** Resolves where the partner did as expected. Throws Unmet, DoesNotApply or Blocked. */
  readonly run: (bench: Bench, state: RunState) => Promise<void>;
}

/** How one scenario went. */
export interface Result {
  readonly scenario: Scenario;
  readonly verdict: Verdict;
  /** Each answer in one line: no header value, body or token. */
  readonly came: readonly string[];
  /** Absent where it passed. */
  readonly reason?: string | undefined;
  /** Where it failed. */
  readonly fix?: string | undefined;
  readonly ms: number;
}

export const groupOf = ({ id }: Pick<Scenario, 'id'>): string => id.slice(0, id.indexOf('.'));

/** Verdict of one scenario. `not-run`: a prerequisite was not available. */
export type Verdict = 'passed' | 'failed' | 'not-applicable' | 'not-run';

/** The partner did not do as expected: a reason in one line and, if it fits better than the scenario's, a fix. */
export class Unmet extends Error {
  constructor(
    reason: string,
    readonly fix?: string,
  ) {
    super(reason);
  }
}

/** The scenario does not apply to these settings. */
export class DoesNotApply extends Error {}

/** A prerequisite of the scenario is not available; another scenario reports why. */
export class Blocked extends Error {}

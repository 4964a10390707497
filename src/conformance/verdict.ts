/** Of one scenario; `not-run`: what it needs could not be had. */
export type Verdict = 'passed' | 'failed' | 'not-applicable' | 'not-run';

/** The partner did otherwise: the reason in one line, and a fix that fits better than the scenario's where there is one. */
export class Unmet extends Error {
  constructor(
    reason: string,
    readonly fix?: string,
  ) {
    super(reason);
  }
}

/** The scenario has no meaning with these settings. */
export class DoesNotApply extends Error {}

/** What the scenario needs could not be had: another scenario says why. */
export class Blocked extends Error {}

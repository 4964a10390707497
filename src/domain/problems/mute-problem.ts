import type { ChangeOrigin } from '../partners/partner-draft';
import type { AuditEntry } from '../partners/ports';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { MutedProblemRepository, ProblemKey } from './ports';

/** Thrown when the problem is not muted. */
export class UnknownMute extends DomainError {
  constructor() {
    super('not-found', 'INVALID_INPUT', 'This problem is not muted', { side: 'platform' });
  }
}

interface Deps {
  readonly mutes: MutedProblemRepository;
  readonly clock: Clock;
}

/** Mutes a known problem, or unmutes it; recorded with the reason in the audit trail. */
export class MuteProblem {
  constructor(private readonly deps: Deps) {}

  async mute({ key, reason, ...origin }: ChangeOrigin & { readonly key: ProblemKey; readonly reason: string }): Promise<void> {
    const at = this.deps.clock.now();
    await this.deps.mutes.mute({ ...key, actor: origin.actor, reason, at }, entry('muted', key, { ...origin, at }, reason));
  }

  /** Throws UnknownMute. */
  async unmute({ key, ...origin }: ChangeOrigin & { readonly key: ProblemKey }): Promise<void> {
    const at = this.deps.clock.now();
    if (!(await this.deps.mutes.unmute(key, entry('unmuted', key, { ...origin, at })))) throw new UnknownMute();
  }
}

const entry = (
  what: string,
  { errorCode, failedSide, failedStep, clientId, appId }: ProblemKey,
  { actor, requestId, at }: ChangeOrigin & { readonly at: number },
  reason?: string,
): AuditEntry => ({
  actor,
  action: `problem.${what}`,
  subject: `integration:${clientId ?? ''}/${appId ?? ''}`,
  after: {
    error_code: errorCode,
    ...(failedSide !== undefined && { failed_side: failedSide }),
    ...(failedStep !== undefined && { failed_step: failedStep }),
    ...(reason !== undefined && { reason }),
  },
  requestId,
  at,
});

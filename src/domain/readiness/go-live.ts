import type { ChangeOrigin } from '../partners/partner-draft';
import type { AgreementKey, AuditEntry } from '../partners/ports';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { AssessReadiness, Readiness } from './assess-readiness';
import { missingFrom } from './checklist';
import type { LiveBook } from './ports';

/** Something is missing from the checklist, and nobody said why that may be. */
export class NotReady extends DomainError {
  constructor(readonly missing: readonly { readonly id: string; readonly detail: string }[]) {
    const fields = missing.map(({ id, detail }) => ({ path: id, rule: detail }));
    super('conflict', 'INVALID_INPUT', 'The integration is not ready: give a reason to go live all the same', { fields, side: 'platform' });
  }
}

/** The integration is in test. */
export class NotLive extends DomainError {
  constructor() {
    super('conflict', 'INVALID_INPUT', 'The integration is not live', { side: 'platform' });
  }
}

export interface GoLiveCommand extends ChangeOrigin {
  readonly key: AgreementKey;
  /** Why it goes live though something is missing. */
  readonly reason?: string | undefined;
}

interface Deps {
  readonly assess: Pick<AssessReadiness, 'execute'>;
  readonly live: LiveBook;
  readonly clock: Clock;
}

/** Says that an integration is live: once its checklist is done, or with a reason. Its traffic is let through before and after. */
export class GoLive {
  constructor(private readonly deps: Deps) {}

  /** Throws UnknownAgreement, NotReady. */
  async execute({ key, reason, actor, requestId }: GoLiveCommand): Promise<void> {
    const { agreement, items } = await this.deps.assess.execute(key);
    const missing = missingFrom(items);
    if (missing.length > 0 && reason === undefined) throw new NotReady(missing);
    const at = this.deps.clock.now();
    const ids = missing.map(({ id }) => id);
    const audit = entry('went-live', key, { actor, requestId, at }, { live: true, missing: ids, ...(reason !== undefined && { reason }) });
    await this.deps.live.begin({ integrationId: agreement.id, at, actor, reason, missing: ids }, audit);
  }

  /** Takes it back to test. Throws UnknownAgreement, NotLive. */
  async back({ key, reason, actor, requestId }: GoLiveCommand): Promise<void> {
    const { agreement }: Readiness = await this.deps.assess.execute(key);
    const audit = entry(
      'back-to-test',
      key,
      { actor, requestId, at: this.deps.clock.now() },
      { live: false, ...(reason !== undefined && { reason }) },
    );
    if (!(await this.deps.live.end(agreement.id, audit))) throw new NotLive();
  }
}

const entry = (
  what: string,
  { clientId, appId }: AgreementKey,
  { actor, requestId, at }: ChangeOrigin & { readonly at: number },
  after: object,
): AuditEntry => ({ actor, action: `integration.${what}`, subject: `integration:${clientId}/${appId}`, after, requestId, at });

import type { ChangeOrigin } from '../partners/partner-draft';
import type { IntegrationKey, AuditEntry } from '../partners/ports';
import { DomainError } from '../shared/errors';
import type { Clock } from '../shared/ports';
import type { AssessReadiness, Readiness } from './assess-readiness';
import { missingFrom } from './checklist';
import type { LiveIntegrationRepository } from './ports';

/** Thrown when checklist items are missing and no reason is given. */
export class NotReady extends DomainError {
  constructor(readonly missing: readonly { readonly id: string; readonly detail: string }[]) {
    const fields = missing.map(({ id, detail }) => ({ path: id, rule: detail }));
    super('not-ready', 'INVALID_INPUT', 'The integration is not ready: give a reason to go live all the same', {
      fields,
      side: 'platform',
    });
  }
}

/** Thrown when the integration is not live, but in test. */
export class NotLive extends DomainError {
  constructor() {
    super('conflict', 'INVALID_INPUT', 'The integration is not live', { side: 'platform' });
  }
}

export interface GoLiveCommand extends ChangeOrigin {
  readonly key: IntegrationKey;
  /** Why it goes live although items are missing. */
  readonly reason?: string | undefined;
}

interface Deps {
  readonly assess: Pick<AssessReadiness, 'execute'>;
  readonly live: LiveIntegrationRepository;
  readonly clock: Clock;
}

/** Marks an integration as live, once its checklist is done, or with a reason. Calls are relayed before and after. */
export class GoLive {
  constructor(private readonly deps: Deps) {}

  /** Throws UnknownIntegration, NotReady. */
  async execute({ key, reason, actor, requestId }: GoLiveCommand): Promise<void> {
    const { integrationRecord, items } = await this.deps.assess.execute(key);
    const missing = missingFrom(items);
    if (missing.length > 0 && reason === undefined) throw new NotReady(missing);
    const at = this.deps.clock.now();
    const ids = missing.map(({ id }) => id);
    const audit = entry('went-live', key, { actor, requestId, at }, { live: true, missing: ids, ...(reason !== undefined && { reason }) });
    await this.deps.live.begin({ integrationId: integrationRecord.id, at, actor, reason, missing: ids }, audit);
  }

  /** Marks it as in test again. Throws UnknownIntegration, NotLive. */
  async back({ key, reason, actor, requestId }: GoLiveCommand): Promise<void> {
    const { integrationRecord }: Readiness = await this.deps.assess.execute(key);
    const audit = entry(
      'back-to-test',
      key,
      { actor, requestId, at: this.deps.clock.now() },
      { live: false, ...(reason !== undefined && { reason }) },
    );
    if (!(await this.deps.live.end(integrationRecord.id, audit))) throw new NotLive();
  }
}

const entry = (
  what: string,
  { clientId, appId }: IntegrationKey,
  { actor, requestId, at }: ChangeOrigin & { readonly at: number },
  after: object,
): AuditEntry => ({ actor, action: `integration.${what}`, subject: `integration:${clientId}/${appId}`, after, requestId, at });

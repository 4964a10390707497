import type { ChangeOrigin } from '../partners/partner-draft';
import { catalogue } from '../shared/error-catalogue';
import { DomainError, InvalidInput } from '../shared/errors';
import type { Clock, IdGenerator } from '../shared/ports';
import type { ResendRepository, SharedDeliveryNotifier } from './ports';
import { resendRules, type Resend, type ResendFilter, type ResendProgress } from './resend';

export interface StartResendCommand extends ChangeOrigin {
  readonly filter: ResendFilter;
  /** Deliveries a second; default `resendRules.perSecond`. */
  readonly perSecond?: number | undefined;
}

export interface CancelResendCommand extends ChangeOrigin {
  readonly id: string;
}

/** Thrown when no batch has the id. */
export class UnknownResend extends DomainError {
  constructor() {
    super('not-found', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** Starts a batch that resends many deliveries at a limited rate. Throws InvalidInput where they are too many for one batch. */
export class StartResend {
  constructor(private readonly deps: { repository: ResendRepository; notifier: SharedDeliveryNotifier; clock: Clock; ids: IdGenerator }) {}

  async execute({ filter, perSecond = resendRules.perSecond, actor, requestId }: StartResendCommand): Promise<Resend> {
    const [id, at] = [this.deps.ids.next(), this.deps.clock.now()];
    const begun = await this.deps.repository.start({ id, filter, perSecond }, (count) => {
      return { actor, action: 'resend.started', subject: `resend:${id}`, after: { filter, per_second: perSecond, count }, requestId, at };
    });
    if (!begun) throw new InvalidInput([{ path: '', rule: `matches more than ${String(resendRules.maxDeliveries)} deliveries` }]);
    this.deps.notifier.notifyAll();
    return begun;
  }
}

/** Cancels a batch. Its deliveries that were not attempted yet stay as they were. Throws UnknownResend. */
export class CancelResend {
  constructor(private readonly deps: { repository: ResendRepository; clock: Clock }) {}

  async execute({ id, actor, requestId }: CancelResendCommand): Promise<ResendProgress> {
    const at = this.deps.clock.now();
    const cancelled = await this.deps.repository.cancel(id, ({ state, waiting, delivered, failed }) => {
      const before = { state, waiting, delivered, failed };
      return { actor, action: 'resend.cancelled', subject: `resend:${id}`, before, after: { state: 'cancelled' }, requestId, at };
    });
    if (!cancelled) throw new UnknownResend();
    return cancelled;
  }
}

/** Runs the next step of each batch that is due. */
export class StepResends {
  constructor(private readonly deps: { repository: Pick<ResendRepository, 'step'> }) {}

  async execute(): Promise<void> {
    while ((await this.deps.repository.step()) > 0);
  }
}

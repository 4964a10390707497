import type { ChangeOrigin } from '../partners/partner-draft';
import { catalogue } from '../shared/error-catalogue';
import { DomainError, InvalidInput } from '../shared/errors';
import type { Clock, IdSource } from '../shared/ports';
import type { ResendBook, SharedBell } from './ports';
import { resendRules, type Resend, type ResendFilter, type ResendProgress } from './resend';

export interface StartResendCommand extends ChangeOrigin {
  readonly filter: ResendFilter;
  /** Deliveries a second; `resendRules.perSecond` where absent. */
  readonly perSecond?: number | undefined;
}

export interface CancelResendCommand extends ChangeOrigin {
  readonly id: string;
}

/** No batch has the id. */
export class UnknownResend extends DomainError {
  constructor() {
    super('invalid', 'NOT_FOUND', catalogue.NOT_FOUND.meaning, { side: 'platform' });
  }
}

/** The operator wants many deliveries again, so many a second. Throws InvalidInput where they are too many for one batch. */
export class StartResend {
  constructor(private readonly deps: { book: ResendBook; bell: SharedBell; clock: Clock; ids: IdSource }) {}

  async execute({ filter, perSecond = resendRules.perSecond, actor, requestId }: StartResendCommand): Promise<Resend> {
    const [id, at] = [this.deps.ids.next(), this.deps.clock.now()];
    const begun = await this.deps.book.start({ id, filter, perSecond }, (count) => {
      return { actor, action: 'resend.started', subject: `resend:${id}`, after: { filter, per_second: perSecond, count }, requestId, at };
    });
    if (!begun) throw new InvalidInput([{ path: '', rule: `matches more than ${String(resendRules.most)} deliveries` }]);
    this.deps.bell.ringAll();
    return begun;
  }
}

/** The operator wants no more of a batch: deliveries without an attempt are as before. Throws UnknownResend. */
export class CancelResend {
  constructor(private readonly deps: { book: ResendBook; clock: Clock }) {}

  async execute({ id, actor, requestId }: CancelResendCommand): Promise<ResendProgress> {
    const at = this.deps.clock.now();
    const cancelled = await this.deps.book.cancel(id, ({ state, waiting, delivered, failed }) => {
      const before = { state, waiting, delivered, failed };
      return { actor, action: 'resend.cancelled', subject: `resend:${id}`, before, after: { state: 'cancelled' }, requestId, at };
    });
    if (!cancelled) throw new UnknownResend();
    return cancelled;
  }
}

/** Takes each batch whose turn it is a step further. */
export class StepResends {
  constructor(private readonly deps: { book: Pick<ResendBook, 'step'> }) {}

  async execute(): Promise<void> {
    while ((await this.deps.book.step()) > 0);
  }
}

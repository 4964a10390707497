import type { ChangeOrigin } from '../partners/partner-draft';
import type { Clock } from '../shared/ports';
import type { InstanceRecord } from './instance';
import { UnknownOperation } from './operations-errors';
import type { InstanceBoard } from './ports';

export interface DrainInstanceCommand extends ChangeOrigin {
  readonly id: string;
  readonly reason?: string | undefined;
}

/** Asks one instance to leave: at its next announcement it stops as if told by its supervisor. Throws UnknownOperation. */
export class DrainInstance {
  constructor(private readonly deps: { readonly instances: InstanceBoard; readonly clock: Clock }) {}

  async execute({ id, reason, actor, requestId }: DrainInstanceCommand): Promise<InstanceRecord> {
    const asked = await this.deps.instances.askToDrain(id, ({ version, state }) => ({
      ...{ actor, action: 'instance.drain-asked', subject: `instance:${id}`, requestId, at: this.deps.clock.now() },
      before: { state, version },
      after: { state: 'draining', ...(reason !== undefined && { reason }) },
    }));
    if (!asked) throw new UnknownOperation();
    return asked;
  }
}

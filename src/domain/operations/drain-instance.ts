import type { ChangeOrigin } from '../partners/partner-draft';
import type { Clock } from '../shared/ports';
import type { InstanceRecord } from './instance';
import { UnknownOperation } from './operations-errors';
import type { InstanceRepository } from './ports';

export interface DrainInstanceCommand extends ChangeOrigin {
  readonly id: string;
  readonly reason?: string | undefined;
}

/** Requests that an instance drains: at its next announcement it stops as after SIGTERM. Throws UnknownOperation. */
export class DrainInstance {
  constructor(private readonly deps: { readonly instances: InstanceRepository; readonly clock: Clock }) {}

  async execute({ id, reason, actor, requestId }: DrainInstanceCommand): Promise<InstanceRecord> {
    const draining = await this.deps.instances.requestDrain(id, ({ version, state }) => ({
      ...{ actor, action: 'instance.drain-requested', subject: `instance:${id}`, requestId, at: this.deps.clock.now() },
      before: { state, version },
      after: { state: 'draining', ...(reason !== undefined && { reason }) },
    }));
    if (!draining) throw new UnknownOperation();
    return draining;
  }
}

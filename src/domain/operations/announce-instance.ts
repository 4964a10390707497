import type { InstanceReport } from './instance';
import type { InstanceRepository, OperationsReader } from './ports';

interface Deps {
  readonly instances: InstanceRepository;
  readonly operations: Pick<OperationsReader, 'sample'>;
  /** The current state of this instance. */
  readonly report: () => InstanceReport;
}

/** Announces this instance and its state, and records the backlog of the minute. */
export class AnnounceInstance {
  constructor(private readonly deps: Deps) {}

  /** Resolves to true if an operator requested that this instance drains. */
  async execute(): Promise<boolean> {
    const mustDrain = await this.deps.instances.announce(this.deps.report());
    await this.deps.operations.sample();
    return mustDrain;
  }

  leave(): Promise<void> {
    return this.deps.instances.leave(this.deps.report().id);
  }
}

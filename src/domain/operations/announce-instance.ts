import type { InstanceReport } from './instance';
import type { InstanceBoard, OperationsReader } from './ports';

interface Deps {
  readonly instances: InstanceBoard;
  readonly operations: Pick<OperationsReader, 'sample'>;
  /** What this instance says of itself now. */
  readonly report: () => InstanceReport;
}

/** Tells that this instance is there and how it is, and keeps the backlog of the minute. */
export class AnnounceInstance {
  constructor(private readonly deps: Deps) {}

  /** True: the operator has asked this instance to leave. */
  async execute(): Promise<boolean> {
    const asked = await this.deps.instances.announce(this.deps.report());
    await this.deps.operations.sample();
    return asked;
  }

  leave(): Promise<void> {
    return this.deps.instances.leave(this.deps.report().id);
  }
}

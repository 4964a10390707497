import type { SharedBell } from '../../../domain/deliveries/ports';

/** Heard in its own process, until somebody listens by nobody. Others hear a bell that rings for all. */
export class InProcessBell implements SharedBell {
  private listener: (lane?: string) => void = () => undefined;

  /** `tellOthers` returns at once and never fails; absent: others do not hear. */
  constructor(private readonly tellOthers: () => void = () => undefined) {}

  ring(lane?: string): void {
    this.listener(lane);
  }

  ringAll(): void {
    this.listener();
    this.tellOthers();
  }

  hear(listener: (lane?: string) => void): void {
    this.listener = listener;
  }
}

import type { DeliveryBell } from '../../../domain/deliveries/ports';

/** Heard in its own process; other instances look by themselves. Silent until somebody listens. */
export class InProcessBell implements DeliveryBell {
  private listener: () => void = () => undefined;

  ring(): void {
    this.listener();
  }

  hear(listener: () => void): void {
    this.listener = listener;
  }
}

import type { SharedDeliveryNotifier } from '../../../domain/deliveries/ports';

/** Notifies the subscriber of its own process, if there is one. `notifyAll` also reaches other processes. */
export class InProcessDeliveryNotifier implements SharedDeliveryNotifier {
  private listener: (queue?: string) => void = () => undefined;

  /** `notifyOthers` returns at once and never fails. Absent when other processes are not notified. */
  constructor(private readonly notifyOthers: () => void = () => undefined) {}

  notify(queue?: string): void {
    this.listener(queue);
  }

  notifyAll(): void {
    this.listener();
    this.notifyOthers();
  }

  subscribe(listener: (queue?: string) => void): void {
    this.listener = listener;
  }
}

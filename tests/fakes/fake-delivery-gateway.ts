import type { DeliveryAnswer, DeliveryGateway, DeliverySending } from '../../src/domain/deliveries/ports';

/** Receivers that keep what they get and answer as told. */
export class FakeDeliveryGateway implements DeliveryGateway {
  readonly sent: DeliverySending[] = [];
  private behaviour: (sending: DeliverySending) => DeliveryAnswer | Promise<DeliveryAnswer> = () => ({ status: 200 });

  answer(answer: DeliveryAnswer): void {
    this.behaviour = () => answer;
  }

  fail(error: Error): void {
    this.behaviour = () => {
      throw error;
    };
  }

  behave(behaviour: (sending: DeliverySending) => DeliveryAnswer | Promise<DeliveryAnswer>): void {
    this.behaviour = behaviour;
  }

  async deliver(sending: DeliverySending): Promise<DeliveryAnswer> {
    this.sent.push(sending);
    return this.behaviour(sending);
  }
}

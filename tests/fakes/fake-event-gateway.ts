import type { EventGateway, EventReceiver, EventSending } from '../../src/domain/events/ports';
import { PartnerGarbled } from '../../src/domain/partners/partner-errors';
import type { Json, JsonObject } from '../../src/domain/shared/json';
import { readJsonText } from '../../src/domain/shared/read-json';
import { PartnerMood } from './partner-mood';

/** Receivers of events on both sides that answer as told, and misbehave on request. */
export class FakeEventGateway extends PartnerMood implements EventGateway {
  readonly received: { readonly receiver: EventReceiver; readonly body: JsonObject }[] = [];
  private answer: Json | undefined;
  private status: number | undefined;

  /** With 200 and this JSON text. */
  answers(text: string): void {
    this.answer = readJsonText(text);
  }

  answersNothing(): void {
    this.answer = undefined;
  }

  fails(status: number): void {
    this.status = status;
  }

  override recover(): void {
    super.recover();
    this.status = undefined;
  }

  async relay({ receiver, body }: EventSending): Promise<Json | undefined> {
    const leg = { side: receiver, step: 'event' } as const;
    this.failIfSet(leg);
    this.received.push({ receiver, body });
    if (this.status !== undefined) throw new PartnerGarbled(leg, 'UNEXPECTED_RESPONSE_ERROR', { cause: `http-${String(this.status)}` });
    return this.answer;
  }
}

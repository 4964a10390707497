import type { Request, RequestHandler } from 'express';
import { JsonNumber, JsonObject, type Json } from '../../domain/shared/json';
import { printJson } from '../../domain/shared/print-json';
import { bodyOf } from '../read-body';

/** A message that a sandbox partner received, with its body. */
export interface Received {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of a delivery, the same at every attempt. Absent when the message came without. */
  readonly webhookId: string | undefined;
  readonly body: JsonObject;
}

const kept = 1000;

/** The last 1000 messages that a sandbox partner received, oldest first, including repeats. */
export class Inbox {
  private readonly entries: Received[] = [];

  take(request: Request): void {
    this.entries.push({ at: Date.now(), webhookId: request.get('webhook-id'), body: bodyOf(request) });
    if (this.entries.length > kept) this.entries.shift();
  }

  received(): readonly Received[] {
    return [...this.entries];
  }

  clear(): void {
    this.entries.length = 0;
  }

  /** Shows the messages; numbers keep their original text. */
  readonly show: RequestHandler = (_request, response) => {
    const data = this.entries.map(({ at, webhookId, body }): Json =>
      JsonObject.of({ at: new JsonNumber(String(at)), webhook_id: webhookId, body }),
    );
    response.type('application/json').send(printJson(JsonObject.of({ data })));
  };
}

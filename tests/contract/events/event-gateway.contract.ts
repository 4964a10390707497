import type { EventGateway, EventReceiver } from '../../../src/domain/events/ports';
import type { Integration } from '../../../src/domain/partners/integrations/integration';
import { JsonObject } from '../../../src/domain/shared/json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { printJson } from '../../../src/domain/shared/print-json';
import { aRelay } from '../../support/a-relay';
import { clock } from '../../support/partners/partner-http';

export interface EventHarness {
  readonly gateway: EventGateway;
  readonly integration: Integration;
  /** Both receivers: each answers as told. */
  readonly receivers: {
    answers(text: string): void;
    answersNothing(): void;
    fails(status: number): void;
    vanish(): void;
    recover(): void;
    readonly received: readonly { readonly receiver: EventReceiver; readonly body: JsonObject }[];
  };
  close?(): Promise<void>;
}

const event = readJsonText(
  '{"app_id":"a","client_id":"c","event_type":"t","payload":{"10":1.10,"2":1E5,"text":"\\ud83d\\ude00","nil":null}}',
);
const sides: readonly EventReceiver[] = ['hostapp', 'miniapp'];

/** What the domain may rely on, whoever stands behind the port. */
export function eventGatewayContract(name: string, open: () => Promise<EventHarness>): void {
  describe(`EventGateway: ${name}`, () => {
    let harness: EventHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.close?.());

    const relay = (receiver: EventReceiver) =>
      harness.gateway.relay({ relay: aRelay(clock), integration: harness.integration, receiver, body: event as JsonObject });

    it.each(sides)('hands the event to the %s, untouched and once', async (receiver) => {
      harness.receivers.answers('{}');
      await relay(receiver);
      expect(harness.receivers.received.map((one) => [one.receiver, printJson(one.body)])).toEqual([[receiver, printJson(event)]]);
    });

    it.each(['{"b":1.10,"a":[1E5,null]}', '{"error_code":"NO_THANKS"}', '[]', '"text"', '0.10'])(
      'brings back %s as it is',
      async (text) => {
        harness.receivers.answers(text);
        expect(printJson((await relay('miniapp')) ?? 'nothing')).toBe(text);
      },
    );

    it('tells JSON null from no answer', async () => {
      harness.receivers.answers('null');
      expect(await relay('hostapp')).toBeNull();
      harness.receivers.answersNothing();
      expect(await relay('hostapp')).toBeUndefined();
    });

    it.each(sides)('says so when the %s does not take it, and works again afterwards', async (receiver) => {
      harness.receivers.answers('{}');
      harness.receivers.fails(503);
      await expect(relay(receiver)).rejects.toMatchObject({
        kind: 'partner-garbled',
        details: { side: receiver, step: 'event', cause: 'http-503' },
      });
      harness.receivers.recover();
      harness.receivers.vanish();
      await expect(relay(receiver)).rejects.toMatchObject({ kind: 'partner-unreachable', details: { side: receiver, cause: 'reset' } });
      harness.receivers.recover();
      await expect(relay(receiver)).resolves.toBeInstanceOf(JsonObject);
    });
  });
}

import { NoAnswer } from '../../../src/adapters/out/partner-http/no-answer';
import { PartnerSender } from '../../../src/adapters/out/partner-http/partner-sender';
import { FakeTracing } from '../../fakes/fake-tracing';
import { aRelay } from '../../support/a-relay';
import { anAxios, noConnections } from '../../support/partners/an-axios';
import { ManualClock } from '../../support/manual-clock';
import { aMiniapp } from '../../support/partners/partners';

const clock = new ManualClock();
const answer = { status: 200, headers: { 'content-type': 'application/json' } };
const headers = { 'Content-Type': 'application/json', traceparent: 'the caller’s', 'X-Signature': 'signed' };

/** The request to a partner, and its trace. */
async function sentWith(tracing: FakeTracing | undefined, answers: () => typeof answer = () => answer) {
  const sent: unknown[] = [];
  const axios = anAxios(({ method, url, headers, data: body, timeout }) => {
    sent.push({ method, url, headers: Object.entries(headers.toJSON()), body: body as unknown, timeout });
    return answers();
  });
  const request = { method: 'POST', url: 'http://mini.example/hook', headers } as const;
  const relay = { ...aRelay(clock), origin: { call: 'the call’s span' } };
  const about = { clientId: 'host_1', appId: 'app_1' };
  const sender = new PartnerSender({ axios, connections: noConnections, clock, tracing });
  const leg = { side: 'miniapp', step: 'event' } as const;
  await sender.send({ relay, leg, receiver: aMiniapp(), attempt: 2, about, request }, () => undefined).catch(() => undefined);
  return sent;
}

describe('a traced request to a partner', () => {
  it('has a span with its target, its origin and its end', async () => {
    const tracing = new FakeTracing();
    await sentWith(tracing);
    expect(tracing.legs).toMatchObject([
      {
        call: {
          ...{ leg: { side: 'miniapp', step: 'event' }, method: 'POST', url: 'http://mini.example/hook', attempt: 2 },
          ...{ requestId: 'req-1', clientId: 'host_1', appId: 'app_1', origin: { call: 'the call’s span' } },
        },
        end: { status: 200, errorCode: undefined },
      },
    ]);
  });

  it('ends with the cause where no answer came', async () => {
    const tracing = new FakeTracing();
    await sentWith(tracing, () => {
      throw new NoAnswer('timeout', false);
    });
    expect(tracing.legs).toMatchObject([{ end: { status: undefined, errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'timeout' } }]);
  });

  it('is sent as it would be without, to the byte', async () => {
    const [untraced] = await sentWith(undefined);
    expect(untraced).toMatchObject({ method: 'post', url: 'http://mini.example/hook', headers: Object.entries(headers) });
    expect(await sentWith(new FakeTracing())).toEqual([untraced]);
  });

  it('carries its own span instead of the caller’s if that is enabled', async () => {
    const [sent] = await sentWith(new FakeTracing('our own'));
    expect(sent).toMatchObject({ headers: Object.entries({ ...headers, traceparent: 'our own' }) });
  });
});

import { LegExchange } from '../../../src/adapters/out/partner-http/exchange-leg';
import type { HttpTransport, WireAnswer, WireRequest } from '../../../src/adapters/out/partner-http/http-transport';
import { NoAnswer } from '../../../src/adapters/out/partner-http/no-answer';
import { FakeTracing } from '../../fakes/fake-tracing';
import { aRelay } from '../../support/a-relay';
import { ManualClock } from '../../support/manual-clock';

const clock = new ManualClock();
const answer: WireAnswer = {
  ...{ status: 200, contentType: 'application/json', contentEncoding: '', retryAfter: '' },
  body: new Uint8Array(),
};
const headers = { Accept: 'application/json', traceparent: 'the caller’s', 'X-Signature': 'signed' };

/** What a partner was sent, and what was traced of it. */
async function sentWith(tracing: FakeTracing | undefined, send: () => Promise<WireAnswer> = async () => answer) {
  const sent: WireRequest[] = [];
  const transport: HttpTransport = {
    send: (request) => {
      sent.push(request);
      return send();
    },
  };
  const request = { method: 'POST', url: 'http://mini.example/hook', headers } as const;
  const relay = { ...aRelay(clock), origin: { call: 'the call’s span' } };
  const about = { clientId: 'host_1', appId: 'app_1' };
  const exchange = new LegExchange({ transport, clock, tracing });
  const run = exchange.run({ relay, leg: { side: 'miniapp', step: 'event' }, attempt: 2, about, request }, () => undefined);
  await run.catch(() => undefined);
  return sent;
}

describe('a traced request to a partner', () => {
  it('begins with where it goes and for what, and ends as it ended', async () => {
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
    await sentWith(tracing, () => Promise.reject(new NoAnswer('timeout', false)));
    expect(tracing.legs).toMatchObject([{ end: { status: undefined, errorCode: 'UNEXPECTED_RESPONSE_ERROR', cause: 'timeout' } }]);
  });

  it('is sent as it would be without, to the byte', async () => {
    const [untraced] = await sentWith(undefined);
    expect(untraced?.headers).toBe(headers);
    expect(await sentWith(new FakeTracing())).toEqual([untraced]);
  });

  it('takes its own span along in place of the caller’s where that is wanted, and changes nothing else', async () => {
    const [sent] = await sentWith(new FakeTracing('our own'));
    expect(sent?.headers).toEqual({ ...headers, traceparent: 'our own' });
  });
});

import { LegExchange, type LegRequest } from '../../../src/adapters/out/partner-http/exchange-leg';
import type { WireAnswer } from '../../../src/adapters/out/partner-http/http-transport';
import { CallTime } from '../../../src/domain/exchanges/call-time';
import { untraced } from '../../../src/domain/exchanges/exchange';
import { Unavailable } from '../../../src/domain/shared/errors';

let now = 0;
const sent: string[] = [];
const exchange = new LegExchange({
  clock: { now: () => now },
  transport: {
    send: ({ url }) => {
      sent.push(url);
      now += 3000;
      return Promise.resolve({ status: 200 } as WireAnswer);
    },
  },
});
const asked = (time: CallTime): LegRequest => ({
  relay: { requestId: 'r', deadline: 60_000, trace: untraced, time },
  leg: { side: 'hostapp', step: 'create' },
  attempt: 1,
  about: { clientId: 'c' },
  request: { method: 'POST', url: 'https://partner.example/create', headers: {} },
});

it('a call to a partner does not count as waiting for us, and its step is known', async () => {
  const time = new CallTime(() => now);
  await exchange.run(asked(time), () => 'read');
  expect([sent.length, time.ownMs(), time.lastStep]).toEqual([1, 0, 'create']);
});

it('nothing is sent for a caller who was answered already', async () => {
  const time = new CallTime(() => now);
  time.expire();
  const before = sent.length;
  await expect(exchange.run(asked(time), () => 'read')).rejects.toThrow(Unavailable);
  expect(sent.length).toBe(before);
});

import { PartnerSender, type LegRequest } from '../../../src/adapters/out/partner-http/partner-sender';
import { CallTime } from '../../../src/domain/exchanges/call-time';
import { ExchangeTrace, untraced } from '../../../src/domain/exchanges/exchange';
import { Unavailable } from '../../../src/domain/shared/errors';
import { anAxios, noConnections } from '../../support/partners/an-axios';
import { aHostApp } from '../../support/partners/partners';

let now = 0;
const sent: string[] = [];
const sender = new PartnerSender({
  clock: { now: () => now },
  connections: noConnections,
  axios: anAxios(({ url = '' }) => {
    sent.push(url);
    now += 3000;
    return { status: 200 };
  }),
});
const requestWith = (time: CallTime): LegRequest => ({
  relay: { requestId: 'r', deadline: 60_000, trace: untraced, time },
  leg: { side: 'hostapp', step: 'create' },
  receiver: aHostApp(),
  attempt: 1,
  about: { clientId: 'c' },
  request: { method: 'POST', url: 'https://partner.example/create', headers: {} },
});

it('a call to a partner does not count as waiting for us, and its step is known', async () => {
  const time = new CallTime(() => now);
  await sender.send(requestWith(time), () => 'read');
  expect([sent.length, time.ownMs(), time.lastStep]).toEqual([1, 0, 'create']);
});

it('reading the answer counts as our time, and not as the partner’s', async () => {
  const [time, trace] = [new CallTime(() => now), new ExchangeTrace()];
  const request = requestWith(time);
  await sender.send({ ...request, relay: { ...request.relay, trace } }, () => {
    now += 200;
  });
  expect([time.ownMs(), trace.lastLeg?.ms]).toEqual([200, 3000]);
});

it('nothing is sent for a caller who already got an answer', async () => {
  const time = new CallTime(() => now);
  time.expire();
  const before = sent.length;
  await expect(sender.send(requestWith(time), () => 'read')).rejects.toThrow(Unavailable);
  expect(sent.length).toBe(before);
});

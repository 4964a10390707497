import { aPair, type Pair } from '../../support/signatures/a-pair';
import { axiosRequests } from '../../support/partners/axios-requests';
import { startTestService, type TestService } from '../../support/service/service';
import { json } from '../../support/partners/stub-behaviours';
import { StubPartner } from '../../support/partners/stub-partner';

let service: TestService;
let miniapp: StubPartner;
let pair: Pair;
let made: ReturnType<typeof axiosRequests>;
beforeAll(async () => {
  service = await startTestService();
  miniapp = (await new StubPartner().start()).on('/events', json({})).on('/auth', json({ auth_token: 'a' }));
  const loopback = { enabled: true, addresses: ['127.0.0.0/8', '::1'] };
  pair = await aPair(service, {
    miniappUrl: miniapp.url,
    miniapp: { events_bridge_url: `${miniapp.url}/events`, ip_whitelist: loopback },
  });
  made = axiosRequests(service);
});
beforeEach(() => void made.splice(0));
afterAll(async () => {
  await service.close();
  await miniapp.stop();
});

it.each([
  ['a relayed event', 'events/hostapp', { event_type: 'cart.changed', payload: {} }, '/events'],
  ['a connect', 'connect', { user_data: { reference: 'r' } }, '/auth'],
])('%s is one request of axios', async (_what, path, body, to) => {
  const ids = { client_id: pair.clientId, app_id: pair.appId };
  const { status } = await service.call('POST', `/api/v1/${path}/`, { body: { ...ids, ...body }, headers: pair.basic });
  expect(status).toBe(200);
  expect(made.map(({ method, url }) => [method, url])).toEqual([['post', `${miniapp.url}${to}`]]);
  expect(miniapp.at(to)).toHaveLength(1);
});

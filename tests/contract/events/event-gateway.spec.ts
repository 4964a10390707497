import type { EventReceiver } from '../../../src/domain/events/ports';
import type { JsonObject } from '../../../src/domain/shared/json';
import { readJson } from '../../../src/domain/shared/read-json';
import { FakeEventGateway } from '../../fakes/fake-event-gateway';
import { aRelay } from '../../support/a-relay';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { aMiniapp, anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { failureOf } from '../../support/sso/sign-on-over-http';
import {
  brackets,
  bytes,
  drip,
  empty,
  earlyClose,
  gzipBomb,
  html,
  huge,
  invalidJson,
  json,
  nothing,
  redirect,
  type Behaviour,
} from '../../support/partners/stub-behaviours';
import { StubPartner } from '../../support/partners/stub-partner';
import { eventGatewayContract } from './event-gateway.contract';

eventGatewayContract('the fake', async () => {
  const gateway = new FakeEventGateway();
  return { gateway, receivers: gateway, integration: anIntegration() };
});

eventGatewayContract('over HTTP', async () => {
  const { stub, partners, integration } = await receiversOverHttp();
  const both = (behaviour: Behaviour) => void stub.on('/hostapp', behaviour).on('/miniapp', behaviour);
  const receivers = {
    answers: (text: string) => both(json(text)),
    answersNothing: () => both(nothing),
    fails: (status: number) => stub.always(json({ error_code: 'BUSY' }, { status })),
    vanish: () => stub.vanish(),
    recover: () => stub.recover(),
    get received() {
      return stub.store.map(({ path, body }) => ({ receiver: path.slice(1) as EventReceiver, body: readJson(body) as JsonObject }));
    },
  };
  const close = async () => {
    partners.close();
    await stub.stop();
  };
  return { gateway: partners.events, receivers, integration, close };
});

async function receiversOverHttp() {
  const stub = await new StubPartner().start();
  const hostApp = reachableHostApp({ endpoints: { eventsBridge: `${stub.url}/hostapp` } });
  const miniapp = aMiniapp({ endpoints: { eventsBridge: `${stub.url}/miniapp` } });
  return { stub, partners: partnerHttp(), integration: anIntegration({ hostApp, miniapp }) };
}

describe('HttpEventGateway', () => {
  let world: Awaited<ReturnType<typeof receiversOverHttp>>;
  beforeEach(async () => {
    world = await receiversOverHttp();
  });
  afterEach(async () => {
    world.partners.close();
    await world.stub.stop();
  });
  const relayTo = (behaviour: Behaviour, ms = 10_000) => {
    world.stub.on('/miniapp', behaviour);
    const relay = { ...aRelay(clock), deadline: clock.now() + ms };
    const body = readJson(Buffer.from('{}')) as JsonObject;
    return world.partners.events.relay({ relay, integration: world.integration, receiver: 'miniapp', body });
  };

  it.each([
    ['a page', html],
    ['an empty body', empty],
    ['no content', nothing],
    ['broken JSON', invalidJson],
    ['JSON nested too deep', brackets],
    ['JSON that does not say so', bytes('text/plain', '{}')],
    ['JSON of a problem type', bytes('application/problem+json', '{', { status: 202 })],
  ])('has no JSON for %s with 2xx: the event was received', async (_what, behaviour) => {
    await expect(relayTo(behaviour)).resolves.toBeUndefined();
  });

  it.each([
    ['a redirect', redirect('http://127.0.0.1:9/'), 'redirect'],
    ['404', json({}, { status: 404 }), 'http-404'],
    ['500', json({}, { status: 500 }), 'http-500'],
    ['an answer too large', huge, 'too-large'],
    ['an answer cut short', earlyClose, 'reset'],
    ['an answer that drips', drip, 'timeout'],
  ])('fails for %s', async (_what, behaviour, cause) => {
    expect((await failureOf(relayTo(behaviour, 700))).details).toMatchObject({ side: 'miniapp', step: 'event', cause });
  });

  it('does not unpack', async () => {
    await expect(relayTo(gzipBomb)).resolves.toBeUndefined();
  });

  it('tells the trace how it went, and sends neither again', async () => {
    world.stub.on('/miniapp', json({ error_code: 'X' }));
    const relay = aRelay(clock);
    const body = readJson(Buffer.from('{}')) as JsonObject;
    await world.partners.events.relay({ relay, integration: world.integration, receiver: 'miniapp', body });
    const about = { id: 'x', requestId: 'r', call: 'c', at: 0, ms: 0 };
    expect(relay.trace.record(about, { status: 200 }).legs).toMatchObject([{ to: 'miniapp', step: 'event', attempt: 1, status: 200 }]);
    expect(world.stub.store).toHaveLength(1);
  });
});

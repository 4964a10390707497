import { resolve } from '../../../src/composition/tokens/token';
import { T } from '../../../src/composition/tokens/tokens';
import { circuitRules } from '../../../src/domain/isolation/circuit';
import { PartnerIsolation } from '../../../src/domain/isolation/partner-isolation';
import type { Pair } from '../../support/signatures/a-pair';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../support/postgres/database';
import { startTestService, type Reply, type TestService } from '../../support/service/service';
import { held, json } from '../../support/partners/stub-behaviours';
import { aPayingPair, StubPayingHostApp } from '../../support/partners/stub-payments';
import { StubMiniapp } from '../../support/partners/stub-sign-on';

/** Failures that open a circuit. */
const failures = circuitRules.minCalls;

describe.each(databaseKinds)('two instances of the service on one database: %s', (kind) => {
  let passedMs = 0;
  let database: TestDatabase;
  let instances: readonly [TestService, TestService];
  let hostApp: StubPayingHostApp;
  let miniapp: StubMiniapp;
  let pair: Pair;
  const instance = (): Promise<TestService> => {
    const isolation = new PartnerIsolation({ share: 0.25, now: () => performance.now() + passedMs });
    return startTestService({ database, change: (container) => void container.rebind(T.partnerIsolation).toConstantValue(isolation) });
  };
  const share = (service: TestService) => resolve(service.composed.container, T.shareCircuits);
  const connect = (service: TestService): Promise<Reply> =>
    service.call('POST', '/api/v1/connect/', {
      headers: pair.basic,
      body: { client_id: pair.clientId, app_id: pair.appId, user: { reference: 'mia' } },
    });
  const connectAtBoth = (times: number): Promise<Reply[]> =>
    Promise.all(instances.flatMap((service) => Array.from({ length: times }, () => connect(service))));
  /** As each process does every second. */
  const readShared = async (): Promise<void> => {
    await Promise.all(instances.map((service) => share(service).settled));
    await Promise.all(instances.map((service) => share(service).execute()));
  };
  /** Until the time of an open circuit is over, by the clocks of the processes and of the database. */
  const openTimePasses = async (): Promise<void> => {
    await readShared();
    passedMs += circuitRules.openMs;
    await database.db.query(`update partner_circuits set open_until = open_until - $1 * interval '1 ms'`, [circuitRules.openMs]);
  };

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    instances = [await instance(), await instance()];
    hostApp = await new StubPayingHostApp().start();
    miniapp = await new StubMiniapp().start();
  }, 60_000);
  beforeEach(async () => {
    pair = await aPayingPair(instances[0], hostApp, { miniappUrl: miniapp.url });
  });
  afterAll(async () => {
    for (const service of instances) await service.close();
    await Promise.all([hostApp.stop(), miniapp.stop()]);
    await database.close();
  });

  const circuitsOpen = (): Promise<unknown> => miniapp.during('/auth', json({}, { status: 503 }), () => connectAtBoth(failures));

  it('let one call through to a miniapp with a half-open circuit', async () => {
    await circuitsOpen();
    await openTimePasses();
    const gate = held(json({ auth_token: 'back' }));
    const before = miniapp.store.length;
    const replies = await miniapp.during('/auth', gate.behaviour, async () => {
      let refused = 0;
      const calls = instances.flatMap((service) =>
        Array.from({ length: 10 }, async () => {
          const reply = await connect(service);
          if (reply.status !== 200 && ++refused === 19) gate.release();
          return reply;
        }),
      );
      return Promise.all(calls);
    });
    expect(miniapp.store.length - before).toBe(1);
    const refusals = replies.filter(({ status }) => status !== 200);
    expect(refusals).toHaveLength(19);
    for (const { body } of refusals) expect(body.custom_attributes).toMatchObject({ cause: 'circuit-open', retryable: true });
    await readShared();
    expect((await connectAtBoth(5)).map(({ status }) => status)).toEqual(Array(10).fill(200));
  }, 30_000);

  it('are closed to it for longer after the one trial has failed', async () => {
    await circuitsOpen();
    await openTimePasses();
    const before = miniapp.store.length;
    await miniapp.during('/auth', json({}, { status: 503 }), () => connectAtBoth(5));
    expect(miniapp.store.length - before).toBe(1);
    await openTimePasses();
    for (const { body } of await connectAtBoth(1)) expect(body.custom_attributes).toMatchObject({ cause: 'circuit-open' });
    expect(miniapp.store.length - before).toBe(1);
  }, 30_000);
});

import { setTimeout as pause } from 'node:timers/promises';
import { aPairOver } from '../../support/signatures/a-pair';
import { databaseKinds } from '../../support/postgres/database';
import { until } from '../../support/service/service';
import { bytes, hangBeforeHeaders, invalidJson, json, refusalOf, type Behaviour } from '../../support/partners/stub-behaviours';
import type { Operation } from '../harness/driver';
import { inQueues } from '../harness/driver';
import { chanceOf, figure, inThisForm, within } from '../harness/fault-run';
import { PayingStage } from '../harness/paying-stage';
import { refreshTokenIn, StrictHostApp } from '../harness/strict-host-app';

// The embedded database serves one process: without a Postgres there are no two of them.
const describeOnPostgres = databaseKinds.includes('postgres') ? describe : describe.skip;

const payments = inThisForm({ short: 150, long: 500 });
const processes = inThisForm({ short: 2, long: 3 });
/** Users whose refresh fails, of each kind of failure. */
const unlucky = inThisForm({ short: 2, long: 20 });
/** Kills while refreshes are answered, and users whose refresh is under way at each. */
const kills = inThisForm({ short: 1, long: 200 });
const usersAtKill = 10;
/** Milliseconds at most from the first refresh to the kill. */
const killsWithinMs = 25;
/** Expiries of the client access token, and the payments at once that meet each. */
const expiries = inThisForm({ short: 3, long: 100 });
const meeting = inThisForm({ short: 60, long: 300 });

interface SignedOn {
  readonly user: string;
  readonly refreshToken: string;
}

interface KilledRefreshes {
  readonly inWindow: number;
  readonly signedOut: number;
  readonly signOnsRequired: number;
  readonly wrong: readonly string[];
}

describeOnPostgres('tokens that have expired, over several processes', () => {
  let stage: PayingStage<StrictHostApp>;
  let hostApp: StrictHostApp;
  let signOns = 0;
  beforeAll(async () => {
    hostApp = new StrictHostApp();
    stage = await PayingStage.open({
      processes,
      hostApp,
      settings: { hostApp: { use_access_token: true } },
      env: { PAYMENT_TIMEOUT_MS: '15000', RATE_LIMITS: '{"authorize": 100000}' },
    });
  }, 60_000);
  afterAll(async () => {
    await stage.close();
  });

  /** How often a call was turned away before it began, as a starved machine does; a caller asks again. */
  let turnedAway = 0;
  const pay = async (user: string, turn: number): Promise<Operation> => {
    const members = `"order":{"currency":"USD","amount":"1.10","hostapp_user_id":"${user}"}`;
    const operation = await stage.call({ path: 'orders/create-order-payment', key: user, members, turn });
    if (operation.status !== 503) return operation;
    turnedAway++;
    return pay(user, turn);
  };
  /** Signs a user on whose access token the host app then takes no more; never while another is signed on or refreshed. */
  const expired = async (user: string): Promise<SignedOn> => {
    const code = `code-${String(++signOns)}`;
    hostApp.knows(code, { reference: user });
    const { status, text } = await stage.call({ path: 'authorize', key: user, members: `"auth_code":"${code}"`, turn: 1 });
    if (status !== 200) throw new Error(text);
    const accessToken = hostApp.records.lastAccessToken;
    hostApp.payments.rejectToken(accessToken);
    return { user, refreshToken: accessToken.replace('access', 'refresh') };
  };
  /** Puts the refreshes that run beyond their lease, as 20 seconds would. */
  const letLeasesRunOut = () =>
    stage.database.db.query(`update user_tokens set lease_until = now() - interval '1 s' where lease is not null`);
  const outcomeOf = ({ status, text }: Operation): string => `${status} ${/"error_code":"([^"]+)"/.exec(text)?.[1] ?? ''}`.trim();

  it(
    'R9: one user’s token is refreshed once for many concurrent payments, which all succeed',
    async () => {
      await expired('mia');
      const [before, created] = [hostApp.shown.length, hostApp.at('/create').length];
      const startedAt = performance.now();
      const replies = await inQueues(payments, payments, (n) => pay('mia', n));
      const succeeded = replies.filter(({ outcome }) => outcome === 'ok').length;
      const creations = hostApp.at('/create').slice(created);
      const counts = { payments, refreshes: hostApp.shown.length - before, succeeded, callsToHostApp: creations.length, turnedAway };
      figure('R9', counts, startedAt);
      expect(new Set(replies.map(outcomeOf))).toEqual(new Set(['200']));
      expect(counts).toMatchObject({ refreshes: 1, succeeded: payments });
      expect(new Set(replies.map(({ text }) => text)).size).toBe(payments);
      // One attempt with the old token and one with the new at most; none with anything else.
      expect(creations.length).toBeLessThanOrEqual(2 * payments);
      expect(new Set(creations.map(({ headers }) => headers.authorization)).size).toBe(2);
    },
    within(60_000),
  );

  const failures: readonly (readonly [string, Behaviour, string])[] = [
    ['refused', refusalOf('NO_MORE', { status: 400 }), '400 NO_MORE'],
    ['failing', bytes('text/plain', 'no', { status: 500 }), '400 UNEXPECTED_RESPONSE_ERROR'],
    ['garbled', invalidJson, '400 FAILED_TO_PARSE_RESPONSE'],
    ['without a new refresh token', json({ access_token: 'fresh' }), '200'],
    ...inThisForm<(readonly [string, Behaviour, string])[]>({
      short: [],
      long: [['hanging', hangBeforeHeaders, '400 UNEXPECTED_RESPONSE_ERROR']],
    }),
  ];
  /** Where a refresh fails: the user's answer, and that of a payment when refreshes work again. */
  const failAndRecover = async (kind: number, { user, refreshToken }: SignedOn): Promise<readonly string[]> => {
    const [name = '', behaviour, expected] = failures[kind] ?? [];
    hostApp.meets(refreshToken, behaviour);
    const first = outcomeOf(await pay(user, kind));
    hostApp.meets(refreshToken);
    const second = outcomeOf(await pay(user, kind + 1));
    return first === expected && second === '200' ? [] : [`${name}: ${first}, then ${second}`];
  };
  const failEachKind = async (n: number): Promise<readonly string[]> => {
    const users: SignedOn[] = [];
    for (const [name] of failures) users.push(await expired(`${name} ${n}`));
    return (await Promise.all(users.map((user, kind) => failAndRecover(kind, user)))).flat();
  };
  /** Kills a process while it refreshes for several users; each of them pays at another one afterwards. */
  const killWhileRefreshing = async (kill: number, ms: number): Promise<KilledRefreshes> => {
    const users: SignedOn[] = [];
    for (let n = 0; n < usersAtKill; n++) users.push(await expired(`killed ${kill} ${n}`));
    const before = hostApp.shown.length;
    const inFlight = users.map(({ user }) => pay(user, 0));
    await until(
      async () => hostApp.shown.length,
      (shown) => shown > before,
    );
    await pause(ms);
    await stage.instances.kill(0);
    const first = await Promise.all(inFlight);
    await letLeasesRunOut();
    const wrong: string[] = [];
    const [shown, unanswered] = [new Set(hostApp.shown), first.filter(({ outcome }) => outcome === 'unknown').length];
    let [signedOut, signOnsRequired] = [0, 0];
    for (const { user, refreshToken } of users) {
      let outcome = await pay(user, 0);
      // The last statement of a process that is dead can be carried out later than the leases have run out here.
      if (outcome.text.includes('"retryable":true')) {
        signOnsRequired++;
        await letLeasesRunOut();
        outcome = await pay(user, 0);
      }
      const typed = outcomeOf(outcome) === '400 INVALID_REFRESH_TOKEN' && outcome.text.includes('"step":"refresh"');
      if (typed && shown.has(refreshToken)) signedOut++;
      else if (outcomeOf(outcome) !== '200') wrong.push(`${user}: ${outcome.text}`);
    }
    await stage.instances.begin(0);
    return { inWindow: unanswered, signedOut, signOnsRequired, wrong };
  };

  it(
    'R10: a failed refresh signs no user out, and a killed one only within its window',
    async () => {
      const startedAt = performance.now();
      const chance = chanceOf('kills in refreshes');
      const wrong = await inQueues(unlucky, 1, failEachKind);
      const ends: KilledRefreshes[] = [];
      for (let kill = 0; kill < kills; kill++) ends.push(await killWhileRefreshing(kill, chance() * killsWithinMs));
      const sum = (of: (end: KilledRefreshes) => number): number => ends.reduce((all, end) => all + of(end), 0);
      const mistakes = [...wrong.flat(), ...ends.flatMap((end) => end.wrong)];
      const failed = unlucky * failures.length;
      const killed = { refreshesAtKills: kills * usersAtKill, killedInFlight: sum((end) => end.inWindow) };
      const ended = { signedOut: sum((end) => end.signedOut), signOnsRequired: sum((end) => end.signOnsRequired) };
      figure('R10', { failed, kills, ...killed, ...ended, wrong: mistakes.length }, startedAt);
      expect(mistakes).toEqual([]);
      expect(ended.signedOut).toBeLessThanOrEqual(killed.killedInFlight);
    },
    within(60_000),
  );

  it('sign no user out if the process is killed before the host app took the refresh token', async () => {
    const { user, refreshToken } = await expired('before');
    hostApp.meets(refreshToken, hangBeforeHeaders);
    const lost = pay(user, 0);
    await until(
      async () => hostApp.shown,
      (shown) => shown.includes(refreshToken),
    );
    await stage.instances.kill(0);
    expect((await lost).outcome).toBe('unknown');
    hostApp.meets(refreshToken);
    hostApp.shown.length = 0;
    await letLeasesRunOut();
    expect(outcomeOf(await pay(user, 0))).toBe('200');
    await stage.instances.begin(0);
  }, 60_000);

  it('need a new sign-on if the process is killed after the host app took the refresh token', async () => {
    const { user, refreshToken } = await expired('after');
    hostApp.meets(refreshToken, (received) => void hostApp.records.refresh(refreshTokenIn(received)));
    const lost = pay(user, 0);
    await until(
      async () => hostApp.shown,
      (shown) => shown.includes(refreshToken),
    );
    await stage.instances.kill(0);
    expect((await lost).outcome).toBe('unknown');
    hostApp.meets(refreshToken);
    await letLeasesRunOut();
    const refused = await pay(user, 0);
    expect(JSON.parse(refused.text)).toMatchObject({
      error_code: 'INVALID_REFRESH_TOKEN',
      custom_attributes: { side: 'hostapp', step: 'refresh' },
    });
    await expired(user);
    expect(outcomeOf(await pay(user, 0))).toBe('200');
    await stage.instances.begin(0);
  }, 60_000);

  it(
    'R11: a client access token that has expired is fetched once',
    async () => {
      const pair = await aPairOver(stage.instances.by(0).url, {
        hostApp: { client_access_token_url: `${hostApp.url}/client-token`, create_order_payment_url: `${hostApp.url}/client-create` },
        miniapp: { ip_whitelist: { enabled: true, addresses: ['127.0.0.0/8'] } },
      });
      const members = '"order":{"currency":"USD","amount":"1.10"}';
      const startedAt = performance.now();
      let [maxFetches, failed, maxStale] = [0, 0, 0];
      for (let expiry = 0; expiry < expiries; expiry++) {
        hostApp.expireClientToken();
        const [fetched, stale] = [hostApp.clientTokens, hostApp.stale];
        const replies = await inQueues(meeting, meeting, (turn) =>
          stage.call({ path: 'orders/create-order-payment', key: String(expiry), members, turn, pair }),
        );
        failed += replies.filter(({ outcome }) => outcome !== 'ok').length;
        maxFetches = Math.max(maxFetches, hostApp.clientTokens - fetched);
        maxStale = Math.max(maxStale, hostApp.stale - stale);
        const before = hostApp.stale;
        await inQueues(processes, processes, (turn) =>
          stage.call({ path: 'orders/create-order-payment', key: 'after', members, turn, pair }),
        );
        expect(hostApp.stale).toBe(before);
      }
      figure('R11', { expiries, paymentsAtEach: meeting, maxFetches, failed, maxRefusedAtOne: maxStale }, startedAt);
      expect([maxFetches, failed]).toEqual([1, 0]);
    },
    within(60_000),
  );
});

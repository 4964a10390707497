import { settle } from '../../../src/domain/payments/order-payment';
import type { PollEnd, DueStatusPoll, StatusPollRepository } from '../../../src/domain/payments/status-poll-repository';
import { pollSlots, pollRules, pollsPerTurn } from '../../../src/domain/payments/poll-pace';
import type { OrderPaymentRepository } from '../../../src/domain/payments/ports';
import { anIntent, report } from './payment-harness';

export interface PollHarness {
  readonly payments: OrderPaymentRepository;
  readonly polls: StatusPollRepository;
  /** Another instance's, over the same storage. */
  readonly other: StatusPollRepository;
  /** Time goes by, for everything that is stored. */
  pass(ms: number): Promise<void>;
  now(): number;
  /** The host app sets a cap of its own, in polls per second. */
  cap(clientId: string, perSecond: number): Promise<void>;
}

const leaseMs = 25_000;
const { turnMs, startPerSecond, shareOfCap } = pollRules;
/** What turns that come on time claim in a second. */
const inOneSecond = (perSecond: number): number => (1000 / turnMs) * pollsPerTurn(perSecond);
const slots = pollSlots({ failures: 0, perSecond: startPerSecond });

/** What reconciliation may rely on, whoever keeps the plan. */
export function statusPollRepositoryContract(name: string, open: () => Promise<PollHarness>): void {
  describe(`StatusPollRepository: ${name}`, () => {
    let harness: PollHarness;
    beforeEach(async () => {
      harness = await open();
    });
    let made = 0;
    const keyOf = (id: string) => ({ integrationId: 'int_1', orderPaymentId: `op-${id}` });
    /** A payment in process that is first polled `dueIn` milliseconds from now. */
    const planned = async (dueIn = 0, clientId = 'host_1'): Promise<string> => {
      const id = `pay_${String(++made)}`;
      await harness.payments.intend(anIntent(id, { at: harness.now() - 60_000, clientId, firstPollAt: harness.now() + dueIn }));
      await harness.payments.open({ id, integrationId: 'int_1' }, keyOf(id).orderPaymentId);
      return id;
    };
    const many = async (count: number, clientId?: string): Promise<string[]> => {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) ids.push(await planned(i - count, clientId));
      return ids;
    };
    const claim = (limit = 100, repository = harness.polls, maxPerSecond = 200) => repository.claimDue({ limit, leaseMs, maxPerSecond });
    /** After the next turn. */
    const next = async (limit?: number, repository?: StatusPollRepository, maxPerSecond?: number) => (
      await harness.pass(turnMs),
      claim(limit, repository, maxPerSecond)
    );
    /** What `count` turns claim, one after the other. */
    const turns = async (count: number, maxPerSecond?: number): Promise<DueStatusPoll[]> => {
      const due: DueStatusPoll[] = [];
      for (let i = 0; i < count; i++) due.push(...(await next(100, harness.polls, maxPerSecond)));
      return due;
    };
    const idsOf = (due: readonly DueStatusPoll[]) => due.map(({ id }) => id).sort();
    const only = ([one, ...more]: readonly DueStatusPoll[]): DueStatusPoll => {
      if (!one || more.length > 0) throw new Error(`${String(more.length + (one ? 1 : 0))} claims where one was expected`);
      return one;
    };
    const ended = (due: DueStatusPoll, more: Partial<PollEnd> = {}) =>
      harness.polls.finish(due, { polledAt: harness.now(), outcome: 'in_process', ...more });
    /** The next one is due so many milliseconds from now. */
    const dueIn = (ms: number) => ({ nextAfterMs: 60_000 + ms });
    const inTrouble = (due: DueStatusPoll, backoffMs: number, isAway = true) => ended(due, { ...dueIn(0), trouble: { backoffMs, isAway } });
    /** Answers all that turns claim, soon and well, until the pace has grown; resolves to what one second claims then. */
    const answerWell = async (count: number, maxPerSecond?: number, more: Partial<PollEnd> = { isWell: true }): Promise<number> => {
      for (let answers = 0; answers < count;) {
        const due = await next(100, harness.polls, maxPerSecond);
        await Promise.all(due.map((one) => ended(one, more)));
        answers += due.length;
      }
      return (await turns(1000 / turnMs, maxPerSecond)).length;
    };

    it('claims each due poll once, with its host app', async () => {
      const id = await planned(-1);
      await planned(60_000);
      const claimed = only(await claim());
      const turn = { failures: 0, troubles: 0, isFull: true, maxPace: 200 * shareOfCap };
      expect(claimed).toEqual({ id, ...keyOf(id), clientId: 'host_1', turn, lease: claimed.lease });
      expect([await claim(), await next()]).toEqual([[], []]);
    });

    it('leaves out payments without a poll, without an id, or with a result', async () => {
      await harness.payments.intend(anIntent('pay_a'));
      await harness.payments.open(anIntent('pay_a'), 'op-a');
      await harness.payments.intend(anIntent('pay_b', { firstPollAt: 0 }));
      const settled = await planned(-1);
      await harness.payments.settle(keyOf(settled), (payment) => settle(payment, report('paid', { orderPaymentId: `op-${settled}` })));
      expect(await claim()).toEqual([]);
    });

    it('lets one of twenty at once claim it', async () => {
      const id = await planned(-1);
      const claims = await Promise.all(Array.from({ length: 20 }, (_, i) => claim(100, i % 2 ? harness.polls : harness.other)));
      expect(idsOf(claims.flat())).toEqual([id]);
    });

    it('gives an expired claim to the next worker, and ignores the late one', async () => {
      await planned(-1);
      const first = only(await claim());
      await harness.pass(leaseMs + 1);
      const second = only(await claim());
      expect(second.lease).not.toBe(first.lease);
      expect(await ended(first)).toBe(false);
      expect(await ended(second, dueIn(leaseMs + 1000))).toBe(true);
      expect(await ended(second)).toBe(false);
      expect(await next()).toEqual([]);
      await harness.pass(2000);
      expect(await claim()).toHaveLength(1);
    });

    it('asks no more where nothing follows', async () => {
      await planned(-1);
      expect(await ended(only(await claim()))).toBe(true);
      await harness.pass(1_000_000);
      expect(await claim()).toEqual([]);
    });

    it('polls payments that were never polled before those that are due again', async () => {
      const again = await planned(-1);
      await ended(only(await claim()), dueIn(-1000));
      const first = await planned(-1);
      expect(idsOf(await next())).toEqual([first]);
      expect(idsOf(await next())).toEqual([again]);
    });

    it(`polls ${String(slots)} at once at a new host app over all instances, longest due first`, async () => {
      const ids = await many(slots + 2);
      const first: DueStatusPoll[] = [];
      for (let i = 0; i < slots + 3; i++) first.push(...(await next(100, i % 2 ? harness.polls : harness.other)));
      expect(idsOf(first)).toEqual(ids.slice(0, slots).sort());
      await ended(first[0]!);
      expect(await next()).toHaveLength(1);
    });

    it('begins polls at a host app once in each turn, whichever instance has it', async () => {
      await many(3);
      expect(await claim()).toHaveLength(1);
      // As if the turn were far from over.
      await harness.pass(-10_000);
      expect([await claim(), await claim(100, harness.other)]).toEqual([[], []]);
      await harness.pass(10_000 + turnMs);
      expect(await claim(100, harness.other)).toHaveLength(1);
    });

    it('gives a turn to one of many at once', async () => {
      await many(slots);
      const began = performance.now();
      const racers = await Promise.all(Array.from({ length: 10 }, (_, i) => claim(1, i % 2 ? harness.polls : harness.other)));
      const maxClaimed = 1 + Math.floor((performance.now() - began) / turnMs);
      expect(racers.flat().length).toBeGreaterThanOrEqual(1);
      expect(racers.flat().length).toBeLessThanOrEqual(maxClaimed);
    });

    it('takes turns between host apps, and claims no more than the limit', async () => {
      await many(3);
      await many(3, 'host_2');
      expect(new Set((await claim()).map(({ clientId }) => clientId))).toEqual(new Set(['host_1', 'host_2']));
      expect(await next(1)).toHaveLength(1);
      expect(await next(1)).toHaveLength(1);
    });

    it('speeds up to its share of the cap while the whole rate is used and answered well', async () => {
      await many(120);
      expect(await answerWell(60, 50)).toBe(inOneSecond(50 * shareOfCap));
    });

    it('takes the cap of a host app instead of the common one', async () => {
      await many(120);
      await harness.cap('host_1', 50);
      expect(await answerWell(60, 200)).toBe(inOneSecond(50 * shareOfCap));
    });

    it('goes no faster for answers that are slow', async () => {
      await many(40);
      expect(await answerWell(20, 200, {})).toBe(startPerSecond);
    });

    it('goes no faster than a low cap from the beginning', async () => {
      await many(3);
      expect(await turns(1000 / turnMs, 2)).toHaveLength(2);
    });

    it('halves the rate of a failing host app once for all polls in flight', async () => {
      await many(120);
      await answerWell(60, 50);
      await harness.pass(leaseMs);
      const [first, ...others] = await turns(5, 50);
      for (const due of [first!, ...others]) await inTrouble(due, 60_000, false);
      expect(await turns(1000 / turnMs, 50)).toHaveLength(inOneSecond((50 * shareOfCap) / 2));
    });

    it('pauses after a failure, polls one at a time, and speeds up after an answer', async () => {
      await many(slots);
      const [first] = await claim();
      await inTrouble(first!, 10_000);
      await harness.pass(9000);
      expect(await claim()).toEqual([]);
      await harness.pass(1001);
      const probe = only(await claim());
      expect(probe.turn.failures).toBe(1);
      expect(await next()).toEqual([]);
      await inTrouble(probe, 5000);
      expect(await next()).toEqual([]);
      await harness.pass(5000);
      const again = only(await claim());
      expect(again.turn.failures).toBe(2);
      await ended(again);
      const released = await turns(20);
      expect(released.length).toBeGreaterThan(1);
      expect(released[0]?.turn).toMatchObject({ failures: 0, troubles: 2 });
    });

    it('counts parallel failures as one, and ignores a success from before them', async () => {
      await many(4);
      const [first, ...more] = await turns(4);
      for (const due of more) await inTrouble(due, 1000);
      await ended(first!);
      await harness.pass(900);
      expect(await claim()).toEqual([]);
      await harness.pass(200);
      expect(only(await claim()).turn.failures).toBe(1);
    });

    it('pauses for the longest time that parallel failures ask for', async () => {
      await many(2);
      const [first, second] = await turns(2);
      await inTrouble(first!, 60_000);
      await inTrouble(second!, 1000);
      await harness.pass(30_000);
      expect(await claim()).toEqual([]);
      await harness.pass(30_001);
      expect(await claim()).toHaveLength(1);
    });

    it('ends overdue polls, and reports each result without a payment once', async () => {
      await planned(-1);
      await ended(only(await claim()), dueIn(0));
      await harness.payments.intend(anIntent('pay_lost', { at: harness.now() }));
      const early = { integrationId: 'int_1', orderPaymentId: 'op-lost' };
      await harness.payments.settle(early, (payment) => settle(payment, report('paid', { orderPaymentId: 'op-lost', at: harness.now() })));
      const before = (ms: number) => ({ pollsEndAfterMs: ms, resultsAfterMs: ms });
      expect(await harness.polls.endOverdue(before(600_000))).toEqual({ polls: 0, results: 0 });
      await harness.pass(600_000);
      expect(await harness.polls.endOverdue(before(300_000))).toEqual({ polls: 1, results: 1 });
      expect(await harness.polls.endOverdue(before(300_000))).toEqual({ polls: 0, results: 0 });
      expect(await next()).toEqual([]);
    });
  });
}

import { partnerLimits } from '../../../../../src/adapters/in/http/manage/limits/partner-budget';
import { PartnerThrottle } from '../../../../../src/adapters/in/http/manage/limits/partner-throttle';
import { ManageProblem } from '../../../../../src/adapters/in/http/manage/http/problem';

const { running, waiting, share, shareOfAll, waitingCost, burstMs, maxChargeMs, waitMs } = partnerLimits;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const stays = () => false;

/** Time that the test advances, with timers due by then. */
class TimeByHand {
  private ms = 0;
  private readonly due: { readonly at: number; readonly work: () => void }[] = [];
  /** The part of the time in which the process computes. */
  load = 1;
  readonly now = (): number => this.ms;
  readonly computed = (): number => this.ms * this.load;
  readonly schedule = (work: () => void, ms: number): void => void this.due.push({ at: this.ms + ms, work });

  async pass(ms: number): Promise<void> {
    const until = this.ms + ms;
    await settled();
    for (;;) {
      const next = this.due.sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > until) break;
      this.due.shift();
      this.ms = Math.max(this.ms, next.at);
      next.work();
      await settled();
    }
    this.ms = until;
    await settled();
  }
}

describe('the throttle of partners', () => {
  let time: TimeByHand;
  let throttle: PartnerThrottle;
  beforeEach(() => {
    time = new TimeByHand();
    throttle = new PartnerThrottle(time);
  });

  /** A partner that always has calls waiting; each takes so long; how many ended within `ms`. */
  const callsWithoutPause = async (partners: readonly string[], tookMs: number, ms: number) => {
    const ended = new Map(partners.map((partner) => [partner, 0]));
    const until = time.now() + ms;
    const callOn = async (partner: string): Promise<void> => {
      while (time.now() < until) {
        const end = await throttle.enter(partner, stays).catch(() => undefined);
        if (!end) continue;
        await new Promise<void>((over) => time.schedule(over, tookMs));
        end();
        ended.set(partner, (ended.get(partner) ?? 0) + 1);
      }
    };
    for (const partner of partners) for (let n = 0; n < 8; n++) void callOn(partner);
    await time.pass(ms);
    return [...ended.values()].map((count) => count * tookMs);
  };

  it('lets so many calls of one partner run at once, and the next when one ends', async () => {
    const ends = await Promise.all(Array.from({ length: running }, () => throttle.enter('a', stays)));
    const begun: string[] = [];
    const next = ['first', 'second'].map((name) => throttle.enter('a', stays).then((end) => (begun.push(name), end)));
    await settled();
    expect(begun).toEqual([]);
    ends[0]?.();
    const end = await next[0];
    await settled();
    expect(begun).toEqual(['first']);
    end?.();
    await next[1];
    expect(begun).toEqual(['first', 'second']);
  });

  it('refuses a call if too many of the partner wait, but no call of another partner', async () => {
    for (let n = 0; n < running + waiting; n++) void throttle.enter('a', stays);
    await expect(throttle.enter('a', stays)).rejects.toMatchObject({ kind: 'too-many', parts: { headers: { 'Retry-After': '1' } } });
    await expect(throttle.enter('b', stays)).resolves.toBeDefined();
  });

  it('lets a page of a partner that was quiet run without a pause', async () => {
    const tookMs = burstMs / 8;
    const page = Array.from({ length: 8 }, async () => {
      const end = await throttle.enter('a', stays);
      await new Promise<void>((over) => time.schedule(over, tookMs));
      end?.();
      return time.now();
    });
    await time.pass((8 / running) * tookMs);
    expect(Math.max(...(await Promise.all(page)))).toBe((8 / running) * tookMs);
  });

  it('gives a partner that calls without pause its share of the time, whatever a call costs', async () => {
    const seconds = 100;
    for (const tookMs of [5, 50, 500]) {
      throttle = new PartnerThrottle(time);
      const [used = 0] = await callsWithoutPause(['a'], tookMs, seconds * 1000);
      expect(used).toBeGreaterThan(0.8 * share * seconds * 1000);
      expect(used).toBeLessThanOrEqual(share * seconds * 1000 + burstMs + (running + 1) * tookMs);
    }
  });

  it('lets a partner whose calls only wait have about one of them at a time', async () => {
    const seconds = 100;
    time.load = 0;
    const [used = 0] = await callsWithoutPause(['a'], 50, seconds * 1000);
    const always = (share / waitingCost) * seconds * 1000;
    expect(used).toBeGreaterThan(0.8 * always);
    expect(used).toBeLessThanOrEqual(always + burstMs / waitingCost + (running + 1) * 50);
  });

  it('gives one of four processes a quarter of the share', async () => {
    const seconds = 100;
    throttle = new PartnerThrottle(time, 4);
    const [used = 0] = await callsWithoutPause(['a'], 20, seconds * 1000);
    expect(used).toBeGreaterThan((0.8 * share * seconds * 1000) / 4);
    expect(used).toBeLessThanOrEqual((share * seconds * 1000) / 4 + burstMs + (running + 1) * 20);
  });

  it.each([1, 2, 8, 999])('serves a call soon after the costliest one, as one of %i processes', async (processes) => {
    throttle = new PartnerThrottle(time, processes);
    const end = await throttle.enter('a', stays);
    await time.pass(60_000);
    end?.();
    const next = throttle.enter('a', stays);
    await time.pass(waitMs);
    await expect(next).resolves.toBeDefined();
  });

  it('gives many partners that call without pause equal parts of one share', async () => {
    const seconds = 100;
    const used = await callsWithoutPause(
      Array.from({ length: 10 }, (_, n) => String(n)),
      20,
      seconds * 1000,
    );
    const sum = used.reduce((a, b) => a + b);
    expect(sum).toBeLessThanOrEqual(shareOfAll * seconds * 1000 + 10 * (burstMs + (running + 1) * 20));
    expect(Math.min(...used)).toBeGreaterThan(0.9 * Math.max(...used));
  });

  it('charges a long call for a second at most, so that the next one runs soon', async () => {
    const end = await throttle.enter('a', stays);
    await time.pass(60_000);
    end?.();
    const next = throttle.enter('a', stays);
    await time.pass((maxChargeMs - burstMs) / share);
    await expect(next).resolves.toBeDefined();
  });

  it('leaves out a call whose caller has left', async () => {
    const ends = await Promise.all(Array.from({ length: running }, () => throttle.enter('a', stays)));
    const gone = throttle.enter('a', () => true);
    const next = throttle.enter('a', stays);
    ends[0]?.();
    expect(await gone).toBeUndefined();
    await expect(next).resolves.toBeDefined();
  });

  it('refuses a call that has waited too long, and makes room for others', async () => {
    for (let n = 0; n < running; n++) void throttle.enter('a', stays);
    const late = Array.from({ length: waiting }, () => throttle.enter('a', stays).catch((error: unknown) => error));
    await time.pass(waitMs);
    for (const error of await Promise.all(late)) expect(error).toBeInstanceOf(ManageProblem);
    const next = throttle.enter('a', stays).then(() => 'runs');
    await expect(Promise.race([next, settled().then(() => 'waits')])).resolves.toBe('waits');
  });
});

import type { RateLimiter } from '../../../src/domain/credentials/ports';
import type { DomainError } from '../../../src/domain/shared/errors';
import { notIds } from '../each-database';

/** Limits that every harness opens its limiters with. */
export const limits = { authorize: 5, 'basic-failure': 2, nothing: 0 };

export interface RateLimiterHarness {
  readonly limiter: RateLimiter;
  /** A limiter of another instance that counts together with the first. */
  readonly other: RateLimiter;
}

/** What may be relied on, whoever counts. */
export function rateLimiterContract(name: string, open: () => Promise<RateLimiterHarness>): void {
  describe(`RateLimiter: ${name}`, () => {
    let harness: RateLimiterHarness;
    beforeEach(async () => {
      harness = await open();
    });
    const count = async (subject: string, limit = 'authorize', times = 1) => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: times }, (_, i) => (i % 2 ? harness.other : harness.limiter).count({ limit, subject })),
      );
      return outcomes.filter(({ status }) => status === 'fulfilled').length;
    };

    it('allows exactly the limit to concurrent calls on two instances', async () => {
      expect(await count('a', 'authorize', 20)).toBe(5);
      expect(await count('a')).toBe(0);
    });

    it('lets as many through one after the other', async () => {
      for (let i = 0; i < 5; i++) expect(await count('a')).toBe(1);
      expect(await count('a')).toBe(0);
    });

    it('says when to come back', async () => {
      await count('a', 'authorize', 5);
      const refused: unknown = await harness.limiter.count({ limit: 'authorize', subject: 'a' }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ kind: 'too-many', code: 'RATE_LIMITED', details: { side: 'platform' } });
      const { retryAfterS = 0 } = (refused as DomainError).details;
      expect(retryAfterS).toBeGreaterThanOrEqual(1);
      expect(retryAfterS).toBeLessThanOrEqual(60);
      expect(Number.isInteger(retryAfterS)).toBe(true);
    });

    it('says how many are left and when the window ends, down to none', async () => {
      const counts = [];
      for (let i = 0; i < 5; i++) counts.push(await (i % 2 ? harness.other : harness.limiter).count({ limit: 'authorize', subject: 'a' }));
      expect(counts.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0]);
      for (const { limit, resetS } of counts) {
        expect(limit).toBe(5);
        expect(Number.isInteger(resetS) && resetS >= 1 && resetS <= 60).toBe(true);
      }
    });

    it('gives each of many concurrent callers its own count', async () => {
      const subjects = Array.from({ length: 30 }, (_, i) => `subject-${i % 10}`);
      const counts = await Promise.all(subjects.map((subject) => harness.limiter.count({ limit: 'authorize', subject })));
      expect(counts.map(({ remaining }) => remaining)).toEqual(subjects.map((_, i) => 4 - Math.floor(i / 10)));
    });

    it('says the same of a limit that is reached, however often it is asked', async () => {
      await count('a', 'authorize', 5);
      for (const limiter of [harness.limiter, harness.limiter, harness.other]) {
        const refused = (await limiter.count({ limit: 'authorize', subject: 'a' }).catch((error: unknown) => error)) as DomainError;
        expect(refused.details.rate).toEqual({ limit: 5, remaining: 0, resetS: refused.details.retryAfterS });
      }
    });

    it('counts subjects and limits apart', async () => {
      await count('a', 'authorize', 6);
      expect(await count('b')).toBe(1);
      expect(await count('a', 'basic-failure', 5)).toBe(2);
    });

    it('lets nobody through a limit of nothing', async () => {
      expect(await count('a', 'nothing')).toBe(0);
    });

    it('knows no other limits', async () => {
      await expect(harness.limiter.count({ limit: 'unheard-of', subject: 'a' })).rejects.toThrow('No limit is named unheard-of');
    });

    it.each(notIds)('never takes %s for a subject', async (_what, id) => {
      await expect(harness.limiter.count({ limit: 'authorize', subject: id as string })).rejects.toThrow('subject');
    });
  });
}

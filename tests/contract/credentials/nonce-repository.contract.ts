import type { NonceRepository } from '../../../src/domain/credentials/ports';
import { notIds } from '../each-database';

export interface NonceRepositoryHarness {
  readonly repository: NonceRepository;
  /** The store of another instance; in memory the same one. */
  readonly other: NonceRepository;
}

const now = Date.UTC(2030, 0, 1);
const until = now + 600_000;
const racers = 20;

/** What the signature check may rely on, whoever keeps the nonces. */
export function nonceRepositoryContract(name: string, open: () => Promise<NonceRepositoryHarness>): void {
  describe(`NonceRepository: ${name}`, () => {
    let repository: NonceRepository;
    let other: NonceRepository;
    beforeEach(async () => {
      ({ repository, other } = await open());
    });

    it('takes a nonce once, over all instances', async () => {
      const nonce = { partner: 'miniapp:app_1', nonce: 'abcdefghijklmnop' };
      expect(await repository.use(nonce, now, until)).toBe(true);
      expect(await repository.use(nonce, now, until)).toBe(false);
      expect(await other.use(nonce, now + 1000, until + 1000)).toBe(false);
    });

    it(`accepts one of ${String(racers)} concurrent uses of one nonce`, async () => {
      for (let round = 0; round < 5; round++) {
        const nonce = { partner: 'miniapp:app_1', nonce: `raced-for-nonce-${String(round)}` };
        const race = Array.from({ length: racers }, (_, i) => (i % 2 === 0 ? repository : other).use(nonce, now, until));
        expect((await Promise.all(race)).filter((first) => first)).toHaveLength(1);
      }
    });

    it('distinguishes nonces by partner, case and spaces', async () => {
      const nonces = [
        ['miniapp:app_1', 'abcdefghijklmnop'],
        ['miniapp:app_2', 'abcdefghijklmnop'],
        ['host-app:app_1', 'abcdefghijklmnop'],
        ['miniapp:app_1', 'ABCDEFGHIJKLMNOP'],
        ['miniapp:app_1', 'abcdefghijklmnop '],
        ['miniapp:app_1a', 'bcdefghijklmnop'],
      ];
      for (const [partner = '', nonce = ''] of nonces) expect(await repository.use({ partner, nonce }, now, until)).toBe(true);
    });

    it('accepts a nonce of a shared key once, whichever app sends it', async () => {
      const signed = { nonce: 'abcdefghijklmnop', key: 'sha256:a' };
      expect(await repository.use({ partner: 'miniapp:app_1', ...signed }, now, until)).toBe(true);
      expect(await other.use({ partner: 'miniapp:app_2', ...signed }, now, until)).toBe(false);
      expect(await repository.use({ partner: 'miniapp:app_3', ...signed, key: 'sha256:c' }, now, until)).toBe(true);
    });

    it('shares its nonces with the previous version, which stores no key', async () => {
      const nonce = { partner: 'miniapp:app_1', nonce: 'abcdefghijklmnop' };
      expect(await repository.use(nonce, now, until)).toBe(true);
      expect(await repository.use({ ...nonce, key: 'sha256:a' }, now, until)).toBe(false);
      const next = { ...nonce, nonce: 'ponmlkjihgfedcba' };
      expect(await repository.use({ ...next, key: 'sha256:a' }, now, until)).toBe(true);
      expect(await repository.use(next, now, until)).toBe(false);
    });

    it('accepts one of many concurrent requests with one nonce of a shared key', async () => {
      const race = Array.from({ length: racers }, (_, i) =>
        (i % 2 === 0 ? repository : other).use(
          { partner: `miniapp:app_${String(i)}`, nonce: 'abcdefghijklmnop', key: 'sha256:a' },
          now,
          until,
        ),
      );
      expect((await Promise.all(race)).filter((first) => first)).toHaveLength(1);
    });

    it('takes it again when the last millisecond of its time has passed, once again', async () => {
      const nonce = { partner: 'miniapp:app_1', nonce: 'abcdefghijklmnop' };
      await repository.use(nonce, now, until);
      expect(await repository.use(nonce, until, until + 600_000)).toBe(false);
      const race = Array.from({ length: racers }, (_, i) => (i % 2 === 0 ? repository : other).use(nonce, until + 1, until + 600_000));
      expect((await Promise.all(race)).filter((first) => first)).toHaveLength(1);
      expect(await repository.use(nonce, until + 2, until + 600_000)).toBe(false);
    });

    it.each(notIds)('never takes %s for a partner or a nonce', async (_what, missing) => {
      const nonce = { partner: 'miniapp:app_1', nonce: 'abcdefghijklmnop' };
      await expect(repository.use({ ...nonce, partner: missing as string }, now, until)).rejects.toThrow();
      await expect(repository.use({ ...nonce, nonce: missing as string }, now, until)).rejects.toThrow();
    });
  });
}

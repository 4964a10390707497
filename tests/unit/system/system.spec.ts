import { NodeSecretDigestProvider } from '../../../src/adapters/out/signing/secret-digest-provider';
import { RandomSecretGenerator } from '../../../src/adapters/out/system/secret-generator';
import { SystemClock } from '../../../src/adapters/out/system/system-clock';
import { TimeSortedIds } from '../../../src/adapters/out/system/time-sorted-ids';

describe('ids', () => {
  it('are UUIDs of version 7 that carry their time', () => {
    const id = new TimeSortedIds({ now: () => 1_700_000_000_000 }).next();
    expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(parseInt(id.slice(0, 12), 16)).toBe(1_700_000_000_000);
  });

  it('strictly increase, also past the counter and when the clock steps back', () => {
    let now = 1_700_000_000_000;
    const ids = new TimeSortedIds({ now: () => now });
    const made = Array.from({ length: 10_000 }, () => ids.next());
    now -= 60_000;
    made.push(...Array.from({ length: 10 }, () => ids.next()));
    now += 120_000;
    made.push(ids.next());
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    expect(parseInt(made.at(-1)!.slice(0, 12), 16)).toBe(now);
  });
});

describe('secrets', () => {
  const secrets = new RandomSecretGenerator();

  it('are 32 bytes in URL-safe base64 with padding', () => {
    const texts = Array.from({ length: 200 }, () => secrets.secretKey().reveal());
    for (const text of texts) expect(text).toMatch(/^[A-Za-z0-9_-]{43}=$/);
    for (const text of texts) expect(Buffer.from(text, 'base64url')).toHaveLength(32);
    expect(new Set(texts).size).toBe(200);
  });

  it('letters are of the alphabet, all of it', () => {
    expect(secrets.letters(12)).toMatch(/^[A-Za-z0-9]{12}$/);
    expect(secrets.letters(0)).toBe('');
    expect(new Set(secrets.letters(5_000)).size).toBe(62);
  });
});

describe('digests', () => {
  const digest = new NodeSecretDigestProvider();

  it.each([
    ['secret', 'secret', true],
    ['secret', 'secreT', false],
    ['secret', 'secret ', false],
    ['', '', true],
    ['', 'secret', false],
    ['é', 'e\u0301', false],
  ])('%j equals %j: %s', (a, b, same) => {
    expect([digest.equals(a, b), digest.matcher(b)(a)]).toEqual([same, same]);
  });

  it('distinguish two values without revealing either', () => {
    expect(digest.fingerprint('secret')).toBe('sha256:2bb80d537b1da3e3');
    expect(digest.fingerprint('secret ')).not.toBe(digest.fingerprint('secret'));
  });
});

it('the clock is the machine’s', () => {
  const before = Date.now();
  const now = new SystemClock().now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

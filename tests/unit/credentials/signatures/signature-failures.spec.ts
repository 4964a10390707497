import { MemoryRateLimiter } from '../../../../src/adapters/out/memory/credentials/memory-rate-limiter';
import { SignatureFailures } from '../../../../src/domain/credentials/signing/signature-failures';

const partner = { kind: 'miniapp', id: 'app_1' } as const;
const at = 1_000_000;

const open = async (failures: number, address = '203.0.113.7') => {
  const budget = new SignatureFailures(new MemoryRateLimiter({ limits: { signature: 3 } }));
  for (let i = 0; i < failures; i++) await budget.failed(partner, address, at);
  return budget;
};

it('spends the limit of one app and address until the minute ends', async () => {
  expect((await open(2)).isSpent(partner, '203.0.113.7', at)).toBe(false);
  const spent = await open(3);
  expect(spent.isSpent(partner, '203.0.113.7', at)).toBe(true);
  expect(spent.isSpent(partner, '203.0.113.8', at)).toBe(false);
  expect(spent.isSpent({ ...partner, id: 'app_2' }, '203.0.113.7', at)).toBe(false);
  expect(spent.isSpent({ kind: 'host-app', id: 'app_1' }, '203.0.113.7', at)).toBe(false);
  expect(spent.isSpent(partner, '203.0.113.7', at + 61_000)).toBe(false);
});

it('is learnt by an instance whose first failure is beyond the limit', async () => {
  const limiter = new MemoryRateLimiter({ limits: { signature: 3 } });
  const [one, two] = [new SignatureFailures(limiter), new SignatureFailures(limiter)];
  for (let i = 0; i < 3; i++) await one.failed(partner, '203.0.113.7', at);
  expect(two.isSpent(partner, '203.0.113.7', at)).toBe(false);
  await two.failed(partner, '203.0.113.7', at);
  expect(two.isSpent(partner, '203.0.113.7', at)).toBe(true);
});

it('takes the /64 of an IPv6 address for one address', async () => {
  const spent = await open(3, '2001:db8:1:2::5');
  expect(spent.isSpent(partner, '2001:db8:1:2:3:4:5:6', at)).toBe(true);
  expect(spent.isSpent(partner, '2001:db8:1:3::5', at)).toBe(false);
});

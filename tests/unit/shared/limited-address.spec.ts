import { limitedAddress } from '../../../src/domain/shared/limited-address';

describe('the counted form of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['', ''],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1:2:3:4', 'fe80:0:0:0::/64'],
  ])('%s: %s', (address, counted) => {
    expect(limitedAddress(address)).toBe(counted);
  });
});

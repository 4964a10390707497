import { isGloballyReachable } from '../../../src/adapters/out/partner-http/reachable';
import {
  allRows,
  ipv4SpecialPurpose,
  ipv6SpecialPurpose,
  mayBeCalled,
  neighboursOf,
  samplesOf,
} from '../../support/partners/special-purpose-networks';

describe('the set of special-purpose networks', () => {
  it('is every row of both registries', () => {
    expect([ipv4SpecialPurpose.length, ipv6SpecialPurpose.length]).toEqual([26, 26]);
  });

  it.each(allRows)('$network, $name: $reachable', (row) => {
    for (const address of samplesOf(row)) expect([address, isGloballyReachable(address)]).toEqual([address, mayBeCalled(address)]);
  });

  it('ends where it ends', () => {
    for (const address of allRows.flatMap(neighboursOf)) {
      // Outside 2000::/3 all of IPv6 is reserved.
      const reserved = address.includes(':') && !/^[23][0-9a-f]{3}:/.test(address);
      expect([address, isGloballyReachable(address)]).toEqual([address, !reserved && mayBeCalled(address)]);
    }
  });
});

describe('an address', () => {
  it.each([
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
    ...['172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0', '198.20.0.0', '203.0.112.255', '223.255.255.255'],
    ...['2606:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '2003::1', '64:ff9b::8.8.8.8', '64:ff9b::808:808'],
  ])('%s is of the public net', (address) => {
    expect(isGloballyReachable(address)).toBe(true);
  });

  it.each([
    ...['169.254.169.254', '::1.2.3.4', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe', '::ffff:0:1.2.3.4', 'fe80::1%eth0'],
    ...['64:ff9b::10.0.0.1', '64:ff9b::169.254.169.254', '64:ff9b::c058:6302', '64:ff9b:1:a00:1::', '2606:4700::1111%1'],
    ...['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2002:a00:1::', '2002:7f00:1::', '2002:808:808::', 'fd00:ec2::254', 'ff0e::1'],
    ...['', 'localhost', '1.2.3', '2130706433', '0x7f.1', '1.2.3.04', '01.2.3.4', '1.2.3.4 ', '[::1]', '1.2.3.4/8'],
  ])('%j is not', (address) => {
    expect(isGloballyReachable(address)).toBe(false);
  });
});

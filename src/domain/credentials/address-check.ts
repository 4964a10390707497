import { forbidden, type Check } from './check';
import type { IpAddressMatcher } from './ports';

/** Requires the caller's address to be on one of the lists (contract/authentication#address-allowlist). Empty lists refuse everybody. */
export const checkAddress =
  (lists: readonly (readonly string[])[], addresses: IpAddressMatcher): Check =>
  ({ remoteAddress }) => {
    if (lists.some((allowed) => addresses.contains(allowed, remoteAddress))) return;
    throw forbidden('NOT_A_WHITELISTED_IP', { setting: 'ip_whitelist', address: remoteAddress });
  };

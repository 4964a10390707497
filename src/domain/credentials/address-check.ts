import { forbidden, type Check } from './check';
import type { AddressBook } from './ports';

/** The caller's address is on one of the lists (contract/authentication#address-allowlist). On and empty: nobody passes. */
export const checkAddress =
  (lists: readonly (readonly string[])[], addresses: AddressBook): Check =>
  ({ remoteAddress }) => {
    if (lists.some((allowed) => addresses.contains(allowed, remoteAddress))) return;
    throw forbidden('NOT_A_WHITELISTED_IP', { setting: 'ip_whitelist', address: remoteAddress });
  };

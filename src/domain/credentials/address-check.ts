import { forbidden, type Check } from './check';
import type { AddressBook } from './ports';

/** The caller's address is on the allowlist (contract, IP allowlist). On and empty: nobody passes. */
export const checkAddress =
  (allowed: readonly string[], addresses: AddressBook): Check =>
  async ({ remoteAddress }) => {
    if (!addresses.contains(allowed, remoteAddress)) throw forbidden('NOT_A_WHITELISTED_IP', 'ip_whitelist');
  };

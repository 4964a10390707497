import type { MigrationInterface } from 'typeorm';
import { Partners1767225600000 } from './1767225600000-partners';
import { SignOn1767225601000 } from './1767225601000-sign-on';
import { Flights1767225602000 } from './1767225602000-flights';
import { Exchanges1767225603000 } from './1767225603000-exchanges';
import { RateLimits1767225604000 } from './1767225604000-rate-limits';
import { Payments1767225605000 } from './1767225605000-payments';
import { TokenRefresh1767225606000 } from './1767225606000-token-refresh';
import { IdempotentCalls1767225607000 } from './1767225607000-idempotent-calls';
import { Deliveries1767225608000 } from './1767225608000-deliveries';
import { Analytics1767225609000 } from './1767225609000-analytics';

/** Every migration, oldest first, by name: no globs, so that source, build and tests run the same list. */
export const migrations: (new () => MigrationInterface)[] = [
  Partners1767225600000,
  SignOn1767225601000,
  Flights1767225602000,
  Exchanges1767225603000,
  RateLimits1767225604000,
  Payments1767225605000,
  TokenRefresh1767225606000,
  IdempotentCalls1767225607000,
  Deliveries1767225608000,
  Analytics1767225609000,
];

import type { MigrationInterface } from 'typeorm';
import { Partners1795737600000 } from './1795737600000-partners';
import { AuditTrail1795737601000 } from './1795737601000-audit-trail';
import { Accounts1795737602000 } from './1795737602000-accounts';
import { SignOn1795737603000 } from './1795737603000-sign-on';
import { CredentialChecks1795737604000 } from './1795737604000-credential-checks';
import { Exchanges1795737605000 } from './1795737605000-exchanges';
import { Payments1795737606000 } from './1795737606000-payments';
import { Deliveries1795737607000 } from './1795737607000-deliveries';
import { Analytics1795737608000 } from './1795737608000-analytics';
import { CallFigures1795737609000 } from './1795737609000-call-figures';
import { PaymentFigures1795737610000 } from './1795737610000-payment-figures';
import { Operations1795737611000 } from './1795737611000-operations';
import { PaymentSummaries1795737612000 } from './1795737612000-payment-summaries';

/** Every migration, oldest first, by name: no globs, so that source, build and tests run the same list. */
export const migrations: (new () => MigrationInterface)[] = [
  Partners1795737600000,
  AuditTrail1795737601000,
  Accounts1795737602000,
  SignOn1795737603000,
  CredentialChecks1795737604000,
  Exchanges1795737605000,
  Payments1795737606000,
  Deliveries1795737607000,
  Analytics1795737608000,
  CallFigures1795737609000,
  PaymentFigures1795737610000,
  Operations1795737611000,
  PaymentSummaries1795737612000,
];

import type { EntitySchema } from 'typeorm';
import { auditSchema } from './audit-entry.schema';
import { consentLedgerSchema, consentSchema } from './consent.schema';
import { deliveryAttemptSchema, deliverySchema } from './delivery.schema';
import { exchangeSchema } from './exchange.schema';
import { flightSchema } from './flight.schema';
import { idempotentCallSchema } from './idempotent-call.schema';
import { integrationSchema } from './integration.schema';
import { keptKeySchema } from './kept-key.schema';
import { credentialSchema, hostAppSchema, miniappSchema } from './partner.schema';
import { earlyCompletionSchema, orderPaymentSchema, paymentConflictSchema } from './payment.schema';
import { rateLimitSchema } from './rate-limit.schema';
import { transactionSchema } from './transaction.schema';
import { userSchema, userTokensSchema } from './user.schema';

/** Every table that TypeORM knows; the migration check compares them with the migrations. */
export const schemas: EntitySchema[] = [
  hostAppSchema,
  miniappSchema,
  credentialSchema,
  integrationSchema,
  auditSchema,
  keptKeySchema,
  userSchema,
  userTokensSchema,
  consentSchema,
  consentLedgerSchema,
  flightSchema,
  idempotentCallSchema,
  exchangeSchema,
  rateLimitSchema,
  orderPaymentSchema,
  earlyCompletionSchema,
  paymentConflictSchema,
  deliverySchema,
  deliveryAttemptSchema,
  transactionSchema,
] as EntitySchema[];

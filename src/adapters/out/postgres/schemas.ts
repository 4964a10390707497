import type { EntitySchema } from 'typeorm';
import { auditHeadSchema, auditSchema } from './audit-entry.schema';
import { consentLedgerSchema, consentSchema } from './consent.schema';
import { deliveryAttemptSchema, deliverySchema } from './delivery.schema';
import { deliveryLaneSchema } from './delivery-lane.schema';
import { erasedDeliverySchema } from './erased-delivery.schema';
import { exchangeSchema } from './exchange.schema';
import { flightSchema } from './flight.schema';
import { idempotentCallSchema } from './idempotent-call.schema';
import { integrationSchema, removedIntegrationSchema } from './integration.schema';
import { keptKeySchema } from './kept-key.schema';
import { credentialSchema, hostAppSchema, miniappSchema } from './partner.schema';
import { askedHostAppSchema, earlyCompletionSchema, orderPaymentSchema, paymentConflictSchema } from './payment.schema';
import { rateLimitSchema } from './rate-limit.schema';
import { refusedRequestSchema } from './refused-request.schema';
import { resendItemSchema, resendSchema } from './resend.schema';
import { transactionSchema } from './transaction.schema';
import { usedNonceSchema } from './used-nonce.schema';
import { userSchema, userTokensSchema } from './user.schema';

/** Every table that TypeORM knows; the migration check compares them with the migrations. */
export const schemas: EntitySchema[] = [
  hostAppSchema,
  miniappSchema,
  credentialSchema,
  integrationSchema,
  removedIntegrationSchema,
  auditSchema,
  auditHeadSchema,
  keptKeySchema,
  userSchema,
  userTokensSchema,
  consentSchema,
  consentLedgerSchema,
  flightSchema,
  idempotentCallSchema,
  exchangeSchema,
  erasedDeliverySchema,
  rateLimitSchema,
  orderPaymentSchema,
  earlyCompletionSchema,
  paymentConflictSchema,
  askedHostAppSchema,
  deliverySchema,
  deliveryAttemptSchema,
  deliveryLaneSchema,
  resendSchema,
  resendItemSchema,
  transactionSchema,
  usedNonceSchema,
  refusedRequestSchema,
] as EntitySchema[];

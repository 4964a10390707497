import { miniappListIdSchema } from './miniapp-list/miniapp-list-id.schema';
import type { EntitySchema } from 'typeorm';
import { accountLinkSchema, accountSchema, accountSessionSchema, signInDelaySchema } from './accounts/account.schema';
import { auditHeadSchema, auditSchema } from './audit-entry.schema';
import { callerAddressSchema } from './caller-address.schema';
import { consentLedgerSchema, consentSchema } from './consent.schema';
import { deliveryAttemptSchema, deliverySchema } from './delivery.schema';
import { deliveryLaneSchema } from './delivery-lane.schema';
import { erasedDeliverySchema } from './erased-delivery.schema';
import { evidenceLinkSchema } from './evidence/evidence-link.schema';
import { exchangeSchema } from './exchange.schema';
import { figureDurationSchema, figurePairSchema, figureProgressSchema, figureSumSchema, tokenRefreshSchema } from './figure.schema';
import { flightSchema } from './flight.schema';
import { idempotentCallSchema } from './idempotent-call.schema';
import { partnerCircuitSchema } from './isolation/partner-circuit.schema';
import { readinessWriteSchema } from './health/readiness-write.schema';
import { endpointProbeSchema, liveIntegrationSchema } from './readiness.schema';
import { integrationSchema, removedIntegrationSchema } from './integrations/integration.schema';
import { keptKeySchema } from './kept-key.schema';
import { mutedProblemSchema } from './problems/muted-problem.schema';
import { credentialSchema, hostAppSchema, miniappSchema } from './partners/partner.schema';
import { askedHostAppSchema, earlyCompletionSchema, orderPaymentSchema, paymentConflictSchema } from './payment.schema';
import { moneySumSchemas } from './money/money-sum.schema';
import { backlogSampleSchema, instanceSchema } from './operations.schema';
import { paymentFigureChangeSchema, paymentFigureProgressSchema, paymentFigureSumSchema } from './payment-figure.schema';
import { rateLimitSchema } from './rate-limit.schema';
import { refusedRequestSchema } from './refused-request.schema';
import { longRunSchema } from './runs/long-run.schema';
import { resendItemSchema, resendSchema } from './resend.schema';
import { shadowCallSchema, shadowCountSchema } from './shadow.schema';
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
  evidenceLinkSchema,
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
  callerAddressSchema,
  shadowCountSchema,
  shadowCallSchema,
  figureSumSchema,
  figureDurationSchema,
  figurePairSchema,
  figureProgressSchema,
  tokenRefreshSchema,
  paymentFigureChangeSchema,
  paymentFigureSumSchema,
  paymentFigureProgressSchema,
  ...moneySumSchemas,
  miniappListIdSchema,
  mutedProblemSchema,
  endpointProbeSchema,
  liveIntegrationSchema,
  readinessWriteSchema,
  partnerCircuitSchema,
  instanceSchema,
  backlogSampleSchema,
  longRunSchema,
  accountSchema,
  accountLinkSchema,
  accountSessionSchema,
  signInDelaySchema,
] as EntitySchema[];

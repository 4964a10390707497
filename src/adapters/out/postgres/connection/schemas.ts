import { miniappListIdSchema } from '../miniapp-list/miniapp-list-id.schema';
import type { EntitySchema } from 'typeorm';
import { accountLinkSchema, accountSchema, accountSessionSchema, signInDelaySchema } from '../accounts/account.schema';
import { auditHeadSchema, auditSchema } from '../audit/audit-entry.schema';
import { callerAddressSchema } from '../credentials/caller-address.schema';
import { consentEntrySchema, consentSchema } from '../sso/consent.schema';
import { deliveryAttemptSchema, deliverySchema } from '../deliveries/delivery.schema';
import { endpointQueueSchema } from '../deliveries/endpoint-queue.schema';
import { erasedDeliverySchema } from '../deliveries/erased-delivery.schema';
import { evidenceLinkSchema } from '../evidence/evidence-link.schema';
import { exchangeSchema } from '../exchanges/exchange.schema';
import {
  figureDurationSchema,
  figurePairSchema,
  figureProgressSchema,
  figureSumSchema,
  tokenRefreshSchema,
} from '../figures/figure.schema';
import { sharedTaskSchema } from '../sso/shared-task.schema';
import { idempotentCallSchema } from '../payments/idempotent-call.schema';
import { partnerCircuitSchema } from '../isolation/partner-circuit.schema';
import { readinessWriteSchema } from '../health/readiness-write.schema';
import { endpointProbeSchema, liveIntegrationSchema } from '../readiness/readiness.schema';
import { integrationSchema, removedIntegrationSchema } from '../integrations/integration.schema';
import { keptKeySchema } from '../sealing/kept-key.schema';
import { mutedProblemSchema } from '../problems/muted-problem.schema';
import { credentialSchema, hostAppSchema, miniappSchema } from '../partners/partner.schema';
import { polledHostAppSchema } from '../payments/polled-host-app.schema';
import { earlyCompletionSchema, orderPaymentSchema, paymentConflictSchema } from '../payments/payment.schema';
import { moneySumSchemas } from '../money/money-sum.schema';
import { backlogSampleSchema, instanceSchema } from '../operations/operations.schema';
import { paymentFigureChangeSchema, paymentFigureProgressSchema, paymentFigureSumSchema } from '../payments/payment-figure.schema';
import { rateLimitSchema } from '../credentials/rate-limit.schema';
import { refusedRequestSchema } from '../credentials/refused-request.schema';
import { longRunSchema } from '../runs/long-run.schema';
import { resendItemSchema, resendSchema } from '../deliveries/resend.schema';
import { dryRunCallSchema, dryRunCountSchema } from '../credentials/dry-run.schema';
import { transactionSchema } from '../analytics/transaction.schema';
import { usedNonceSchema } from '../credentials/used-nonce.schema';
import { userSchema, userTokensSchema } from '../sso/user.schema';

/** Every table that TypeORM knows. The migration check compares these with the migrations. */
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
  consentEntrySchema,
  sharedTaskSchema,
  idempotentCallSchema,
  exchangeSchema,
  evidenceLinkSchema,
  erasedDeliverySchema,
  rateLimitSchema,
  orderPaymentSchema,
  earlyCompletionSchema,
  paymentConflictSchema,
  polledHostAppSchema,
  deliverySchema,
  deliveryAttemptSchema,
  endpointQueueSchema,
  resendSchema,
  resendItemSchema,
  transactionSchema,
  usedNonceSchema,
  refusedRequestSchema,
  callerAddressSchema,
  dryRunCountSchema,
  dryRunCallSchema,
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

import { accountsExamples } from './accounts-examples';
import { auditExamples } from './audit-examples';
import { callsExamples } from './calls-examples';
import { conformanceExamples } from './conformance-examples';
import { deliveriesExamples } from './deliveries-examples';
import { evidenceExamples } from './evidence-examples';
import { figuresExamples } from './figures-examples';
import { hostAppCredentialsExamples } from './host-app-credentials-examples';
import { integrationsExamples } from './integrations-examples';
import { miniappCredentialsExamples } from './miniapp-credentials-examples';
import { operationsExamples } from './operations-examples';
import { partnersExamples } from './partners-examples';
import { paymentsExamples } from './payments-examples';
import { readinessExamples } from './readiness-examples';
import { reportsExamples } from './reports-examples';
import { sandboxExamples } from './sandbox-examples';
import { shadowsExamples } from './shadows-examples';
import { signaturesExamples } from './signatures-examples';
import { timelinesExamples } from './timelines-examples';
import type { ManageExamples } from './example';

/** An example of each call that has a body or answers with one; taken from calls that were made. */
export const manageExamples: ManageExamples = {
  ...partnersExamples,
  ...hostAppCredentialsExamples,
  ...miniappCredentialsExamples,
  ...integrationsExamples,
  ...callsExamples,
  ...timelinesExamples,
  ...evidenceExamples,
  ...shadowsExamples,
  ...auditExamples,
  ...paymentsExamples,
  ...deliveriesExamples,
  ...signaturesExamples,
  ...figuresExamples,
  ...reportsExamples,
  ...accountsExamples,
  ...operationsExamples,
  ...conformanceExamples,
  ...sandboxExamples,
  ...readinessExamples,
};

import { accountCalls } from '../../adapters/in/http/manage/accounts/account-calls';
import { sessionCalls } from '../../adapters/in/http/manage/accounts/session-calls';
import { analyticsCalls } from '../../adapters/in/http/manage/analytics/analytics-calls';
import { auditCalls } from '../../adapters/in/http/manage/audit/audit-calls';
import { conformanceCalls } from '../../adapters/in/http/manage/conformance/conformance-calls';
import {
  allowlistCalls,
  credentialOverviews,
  dryRunCalls,
  possessionCalls,
} from '../../adapters/in/http/manage/credentials/credential-calls';
import { signatureCalls } from '../../adapters/in/http/manage/credentials/signature-calls';
import { deliveryCalls, endpointQueueCalls, resendCalls } from '../../adapters/in/http/manage/deliveries/delivery-calls';
import { evidenceCalls } from '../../adapters/in/http/manage/exchanges/evidence-calls';
import { exchangeCalls, searchCalls, timelineCalls } from '../../adapters/in/http/manage/exchanges/exchange-calls';
import { problemCalls } from '../../adapters/in/http/manage/exchanges/problem-calls';
import { figureCalls, moneyFigureCalls } from '../../adapters/in/http/manage/figures/figure-calls';
import { integrationCalls, proposalCalls, readinessCalls } from '../../adapters/in/http/manage/integrations/integration-calls';
import { IntegrationDto } from '../../adapters/in/http/manage/integrations/integration.dto';
import { keyRingCalls, liveCalls, operationsCalls } from '../../adapters/in/http/manage/operations/operations-calls';
import { HostAppDto } from '../../adapters/in/http/manage/partners/host-app.dto';
import { MiniappDto } from '../../adapters/in/http/manage/partners/miniapp.dto';
import { credentialChanges, partnerCalls } from '../../adapters/in/http/manage/partners/partner-calls';
import { kinds, type KindOfPartner } from '../../adapters/in/http/manage/partners/partner-kinds';
import { paymentActionCalls, paymentCalls } from '../../adapters/in/http/manage/payments/payment-calls';
import { sandboxCalls, simulatorCalls, timeCalls } from '../../adapters/in/http/manage/sandbox/sandbox-calls';
import { userCalls } from '../../adapters/in/http/manage/users/users-calls';
import type { Call, Calls } from '../../adapters/in/http/manage/http/call';

/** Calls under one heading of the document. */
export interface ManageTag {
  readonly name: string;
  readonly description: string;
  readonly calls: readonly Call[];
}

const callsOf = (...tables: readonly Calls[]): readonly Call[] => tables.flatMap((table) => Object.values(table));

/** Calls for secrets and keys, proofs of possession, allowlists and dry runs of signature settings. */
const credentialsOf = (kind: KindOfPartner): readonly Call[] =>
  callsOf(...[credentialOverviews, credentialChanges, possessionCalls, allowlistCalls, dryRunCalls].map((tableOf) => tableOf(kind)));

/** Classes of bodies that have their own name in the document. */
export const partnerInputs = { HostAppInput: HostAppDto, MiniappInput: MiniappDto, IntegrationInput: IntegrationDto };

const { 'host-app': hostApps, miniapp: miniapps } = kinds;

/** All calls of the manage API, in the order of the document. */
export const manageTags: readonly ManageTag[] = [
  { name: 'Host apps', description: 'Host apps and their settings.', calls: callsOf(partnerCalls(hostApps)) },
  {
    name: 'Host app credentials',
    description: 'Secrets and keys, proofs of possession, allowlists.',
    calls: credentialsOf(hostApps),
  },
  { name: 'Miniapps', description: 'Miniapps and their settings.', calls: callsOf(partnerCalls(miniapps)) },
  {
    name: 'Miniapp credentials',
    description: 'Secrets and keys, proofs of possession, allowlists.',
    calls: credentialsOf(miniapps),
  },
  { name: 'Integrations', description: 'The agreement between one host app and one miniapp.', calls: callsOf(integrationCalls) },
  { name: 'Proposals', description: 'Partners agree on integrations between themselves.', calls: callsOf(proposalCalls) },
  {
    name: 'Readiness',
    description: 'The checklist of an integration, and the gate between test and live.',
    calls: callsOf(readinessCalls),
  },
  {
    name: 'Calls',
    description: 'What happened: every call with both its legs, and timelines of what belongs together.',
    calls: callsOf(exchangeCalls, timelineCalls, searchCalls),
  },
  { name: 'Evidence', description: 'Links to signed evidence of a call.', calls: callsOf(evidenceCalls) },
  { name: 'Payments', description: 'What became of payments.', calls: callsOf(paymentCalls, paymentActionCalls) },
  {
    name: 'Deliveries',
    description: 'Deliveries to partners, and what became of them.',
    calls: callsOf(deliveryCalls, resendCalls, endpointQueueCalls),
  },
  { name: 'Signatures', description: 'Tools for signatures and payloads.', calls: callsOf(signatureCalls) },
  { name: 'Problems', description: 'Failures by their cause, and what will end soon.', calls: callsOf(problemCalls) },
  {
    name: 'Figures',
    description:
      'Calls, payments and deliveries as numbers. A range is widened to whole slots; `from` and `to` of the answer show the widened range. The last 24 hours unless asked otherwise, 31 days at most.',
    calls: callsOf(figureCalls, moneyFigureCalls),
  },
  { name: 'Reports', description: 'What miniapps reported, compared with what was relayed.', calls: callsOf(analyticsCalls) },
  { name: 'Users', description: "Host apps' users: masked, exported, forgotten.", calls: callsOf(userCalls) },
  { name: 'Audit', description: 'Who changed what, and what changes now.', calls: callsOf(auditCalls, liveCalls) },
  { name: 'Session', description: 'Who is signed in to the dashboard.', calls: callsOf(sessionCalls) },
  { name: 'Accounts', description: 'The people who may sign in.', calls: callsOf(accountCalls) },
  {
    name: 'Operations',
    description: 'Processes, backlog, limits, database and keys of the service.',
    calls: callsOf(operationsCalls, keyRingCalls),
  },
  { name: 'Conformance', description: 'Runs that drive a partner through the contract.', calls: callsOf(conformanceCalls) },
  {
    name: 'Sandbox',
    description: 'The simulated partners and their time. Only where the service runs with them; `GET /sandbox` says whether it does.',
    calls: callsOf(sandboxCalls, simulatorCalls, timeCalls),
  },
];

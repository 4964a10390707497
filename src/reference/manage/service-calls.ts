import { analyticsCalls } from '../../adapters/in/http/manage/analytics/analytics-calls';
import { problemCalls } from '../../adapters/in/http/manage/exchanges/problem-calls';
import { figureCalls, moneyFigureCalls } from '../../adapters/in/http/manage/figures/figure-calls';
import { conformanceCalls } from '../../adapters/in/http/manage/conformance/conformance-calls';
import { auditCalls } from '../../adapters/in/http/manage/audit/audit-calls';
import { fromTable } from './from-table';
import type { ManageTag } from './operation';
import { accountCalls } from '../../adapters/in/http/manage/accounts/account-calls';
import { sessionCalls } from '../../adapters/in/http/manage/accounts/session-calls';
import { userCalls } from '../../adapters/in/http/manage/users/users-calls';
import { keyRingCalls, liveCalls, operationsCalls } from '../../adapters/in/http/manage/operations/operations-calls';
import { sandboxCalls, simulatorCalls, timeCalls } from '../../adapters/in/http/manage/sandbox/sandbox-calls';

export const serviceTags: readonly ManageTag[] = [
  { name: 'Problems', description: 'Failures by their cause, and what will end soon.', calls: fromTable(problemCalls) },
  {
    name: 'Figures',
    description:
      'Calls, payments and deliveries as numbers. A range is widened to whole slots; `from` and `to` of the answer show the widened range. The last 24 hours unless asked otherwise, 31 days at most.',
    calls: fromTable({ ...figureCalls, ...moneyFigureCalls }),
  },
  { name: 'Reports', description: 'What miniapps reported, compared with what was relayed.', calls: fromTable(analyticsCalls) },
  { name: 'Users', description: "Host apps' users: masked, exported, forgotten.", calls: fromTable(userCalls) },
  { name: 'Audit', description: 'Who changed what, and what changes now.', calls: fromTable({ ...auditCalls, ...liveCalls }) },
  { name: 'Session', description: 'Who is signed in to the dashboard.', calls: fromTable(sessionCalls) },
  { name: 'Accounts', description: 'The people who may sign in.', calls: fromTable(accountCalls) },
  {
    name: 'Operations',
    description: 'Processes, backlog, limits, database and keys of the service.',
    calls: { ...fromTable(operationsCalls), ...fromTable(keyRingCalls) },
  },
  { name: 'Conformance', description: 'Runs that drive a partner through the contract.', calls: fromTable(conformanceCalls) },
  {
    name: 'Sandbox',
    description: 'The simulated partners and their time. Only where the service runs with them; `GET /sandbox` says whether it does.',
    calls: { ...fromTable(sandboxCalls), ...fromTable(simulatorCalls), ...fromTable(timeCalls) },
  },
];

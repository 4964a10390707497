import type { SandboxPair } from '../setup/sandbox-pair';
import type { SandboxUser } from '../partners/sandbox-users';
import { basicHeader, holdsTexts, refuses, hasMember } from './demo-checks';
import type { Step } from './demo-step';

const atMiniapp = { to: 'miniapp', call: 'POST /auth' } as const;
const exchange = [{ to: 'host app', call: 'POST /oauth/token' }, { to: 'host app', call: 'GET /user' }, atMiniapp] as const;

/** Signs a user on through `connect`, reads consent and settings, and is refused with a wrong secret. */
export function connectSteps({ clientId, secretKey, appId }: SandboxPair, user: SandboxUser): Step[] {
  const ids = { client_id: clientId, app_id: appId };
  const connect = { from: 'host app', method: 'POST', path: '/api/v1/connect/', body: { ...ids, user_data: user } } as const;
  const consent = new URLSearchParams({ ...ids, user_reference: user.reference }).toString();
  const settings = new URLSearchParams({ client_id: clientId }).toString();
  const fromPage = { from: 'host page', method: 'GET', status: 200, partnerCalls: [] } as const;
  return [
    {
      ...connect,
      headers: basicHeader(clientId, secretKey),
      status: 200,
      check: holdsTexts('token', 'refresh_token'),
      partnerCalls: [atMiniapp],
    },
    { ...fromPage, path: `/api/v1/accounts/consent/get_consent/?${consent}`, check: hasMember('is_consented', true) },
    { ...fromPage, path: `/api/v1/miniapps/${appId}/settings/?${settings}`, check: hasMember('app_id', appId) },
    { ...connect, headers: basicHeader(clientId, 'not-the-secret'), status: 401, check: refuses('ACCESS_DENIED'), partnerCalls: [] },
  ];
}

/** Signs a user on through `authorize`. The second call repeats the first and gets the same answer without calls to the partners. */
export function authorizeSteps({ clientId, appId }: SandboxPair, authCode: string): Step[] {
  const body = { client_id: clientId, app_id: appId, auth_code: authCode };
  const authorize = { from: 'miniapp page', method: 'POST', path: '/api/v1/authorize/', body, status: 200 } as const;
  let first: unknown;
  const pair = holdsTexts('auth_token', 'token', 'refresh_token');
  return [
    {
      ...authorize,
      check: (answer) => {
        first = answer;
        return pair(answer);
      },
      partnerCalls: exchange,
    },
    {
      ...authorize,
      check: (answer) => pair(answer) ?? (JSON.stringify(answer) === JSON.stringify(first) ? undefined : 'another answer than before'),
      partnerCalls: [],
    },
  ];
}

import { memberOf } from './read-body';
import type { SandboxHostApp } from './sandbox-host-app';
import type { SandboxMiniapp } from './sandbox-miniapp';
import type { SandboxPair } from './sandbox-pair';
import { sandboxUsers, type SandboxUser } from './sandbox-users';
import { takeStep, type Step } from './walk-step';
import { tableOf, takesColour, type Leg } from './walk-table';

/** Where the walk goes, and who tells what happened on the way. */
export interface Walk {
  /** Without a final slash. */
  readonly serviceUrl: string;
  readonly pair: SandboxPair;
  readonly hostApp: SandboxHostApp;
  readonly miniapp: SandboxMiniapp;
  /** Takes one line at a time. */
  readonly print: (line: string) => void;
  /** Absent: where standard output takes it. */
  readonly colour?: boolean | undefined;
}

const atMiniapp = { to: 'miniapp', call: 'POST /auth' } as const;
const exchange = [{ to: 'host app', call: 'POST /oauth/token' }, { to: 'host app', call: 'GET /user' }, atMiniapp] as const;

/** Signs two sandbox users on over real HTTP and prints each leg. True: every leg was as it must be. */
export async function walk({ serviceUrl, pair, hostApp, miniapp, print, colour = takesColour() }: Walk): Promise<boolean> {
  const ledgers = { 'host app': () => hostApp.calls(), miniapp: () => miniapp.calls() };
  const [mia, omar] = sandboxUsers as [SandboxUser, SandboxUser]; // the list holds both
  const legs: Leg[] = [];
  for (const step of [...connectSteps(pair, mia), ...authorizeSteps(pair, hostApp.issueCode(omar.reference))]) {
    legs.push(...(await takeStep(serviceUrl, ledgers, step)));
  }
  for (const line of tableOf(legs, colour)) print(line);
  const wrong = legs.filter((leg) => leg.problem !== undefined).length;
  print(wrong === 0 ? `All ${legs.length} legs as expected.` : `${wrong} of ${legs.length} legs were not as expected.`);
  return wrong === 0;
}

function connectSteps({ clientId, secretKey, appId }: SandboxPair, user: SandboxUser): Step[] {
  const ids = { client_id: clientId, app_id: appId };
  const connect = { from: 'host app', method: 'POST', path: '/api/v1/connect/', body: { ...ids, user_data: user } } as const;
  const consent = new URLSearchParams({ ...ids, user_reference: user.reference }).toString();
  const settings = new URLSearchParams({ client_id: clientId }).toString();
  return [
    { ...connect, basic: `${clientId}:${secretKey}`, status: 200, check: holdsTexts('token', 'refresh_token'), partnerCalls: [atMiniapp] },
    {
      from: 'host page',
      method: 'GET',
      path: `/api/v1/accounts/consent/get_consent/?${consent}`,
      status: 200,
      check: (body) => (memberOf(body, 'is_consented') === true ? undefined : 'is_consented is not true'),
      partnerCalls: [],
    },
    {
      from: 'host page',
      method: 'GET',
      path: `/api/v1/miniapps/${appId}/settings/?${settings}`,
      status: 200,
      check: (body) => (memberOf(body, 'app_id') === appId ? undefined : 'app_id is another'),
      partnerCalls: [],
    },
    {
      ...connect,
      basic: `${clientId}:not-the-secret`,
      status: 401,
      check: (body) => (memberOf(body, 'error_code') === 'ACCESS_DENIED' ? undefined : 'error_code is not ACCESS_DENIED'),
      partnerCalls: [],
    },
  ];
}

/** The second call repeats the first: the same answer, and nobody is asked again. */
function authorizeSteps({ clientId, appId }: SandboxPair, authCode: string): Step[] {
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

const holdsTexts =
  (...names: readonly string[]) =>
  (body: unknown): string | undefined => {
    const missing = names.filter((name) => typeof memberOf(body, name) !== 'string');
    return missing.length === 0 ? undefined : `without ${missing.join(', ')}`;
  };

import type { SandboxPair } from '../setup/sandbox-pair';
import type { SandboxUser } from '../partners/sandbox-users';
import { sealPayload } from '../signing/seal-payload';
import { holdsTexts, refuses } from './demo-checks';
import type { Step } from './demo-step';

/** Sign-on with user data that the host app's back end has encrypted; a payload that cannot be decrypted is refused. */
export function loginSteps({ clientId, appId, secretKey }: SandboxPair, user: SandboxUser): Step[] {
  const login = (payload: string) =>
    ({ from: 'host page', method: 'POST', path: '/api/v1/partner/login/', body: { client_id: clientId, app_id: appId, payload } }) as const;
  const garbage = Buffer.alloc(64).toString('base64');
  return [
    {
      ...login(sealPayload(user, secretKey)),
      status: 200,
      check: holdsTexts('token', 'refresh_token'),
      partnerCalls: [{ to: 'miniapp', call: 'POST /auth' }],
    },
    { ...login(garbage), status: 400, check: refuses('INVALID_USER_DATA'), partnerCalls: [] },
  ];
}

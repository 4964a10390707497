import type { SandboxPair } from './sandbox-pair';
import type { SandboxUser } from './sandbox-users';
import { sealPayload } from './seal-payload';
import { holdsTexts, refuses } from './walk-checks';
import type { Step } from './walk-step';

/** The host page brings user data that its back end has encrypted; what cannot be decrypted is refused. */
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

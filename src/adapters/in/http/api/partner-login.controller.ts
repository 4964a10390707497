import type { LoginWithPayload } from '../../../../domain/sso/login-with-payload';
import { JsonObject } from '../../../../domain/shared/json';
import type { Action } from './api-route';
import type { PartnerLoginDto } from './partner-login.dto';

/** POST partner/login: encrypted user data becomes a session at the miniapp. */
export class PartnerLoginController {
  constructor(private readonly deps: { loginWithPayload: LoginWithPayload }) {}

  login: Action<PartnerLoginDto> = async ({ relay, integration, fields, address }) => {
    const pair = await this.deps.loginWithPayload.execute({ relay, integration, payload: fields.payload, address });
    return JsonObject.of({ token: pair.token.reveal(), refresh_token: pair.refreshToken.reveal() });
  };
}

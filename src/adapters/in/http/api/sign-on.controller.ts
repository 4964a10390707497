import type { AuthorizeUser } from '../../../../domain/sso/authorize-user';
import type { ConnectUser } from '../../../../domain/sso/connect-user';
import type { UserData } from '../../../../domain/sso/user-data';
import { InvalidInput } from '../../../../domain/shared/errors';
import { type Json, JsonObject } from '../../../../domain/shared/json';
import { jsonEquals } from '../../../../domain/shared/print-json';
import { Secret } from '../../../../domain/shared/secret';
import type { Action } from './api-route';
import { userOf } from './read-user';
import type { AuthorizeDto, ConnectDto, UserDataDto } from './sign-on.dto';

/** POST connect and POST authorize: a user of the host app gets a session at the miniapp. */
export class SignOnController {
  constructor(private readonly deps: { connectUser: ConnectUser; authorizeUser: AuthorizeUser }) {}

  connect: Action<ConnectDto> = async ({ relay, integration, fields }) => {
    const pair = await this.deps.connectUser.execute({ relay, integration, user: theOneUser(fields) });
    return JsonObject.of({ token: pair.token.reveal(), refresh_token: pair.refreshToken.reveal() });
  };

  authorize: Action<AuthorizeDto> = async ({ relay, integration, fields, address }) => {
    const pair = await this.deps.authorizeUser.execute({
      relay,
      integration,
      authCode: new Secret(fields.auth_code),
      userReference: fields.user_reference,
      address,
    });
    const token = pair.token.reveal();
    return JsonObject.of({ auth_token: token, token, refresh_token: pair.refreshToken.reveal() });
  };
}

/** The user, under either of its two names. When both are sent, they must be equal (contract/sign-on#connect). */
function theOneUser({ user_data, user }: ConnectDto): UserData {
  const given = user_data ?? user;
  if (!given) throw new InvalidInput([{ path: 'user_data', rule: 'required' }]);
  if (user_data && user && !sameUser(user_data, user)) throw new InvalidInput([{ path: 'user', rule: 'differs from user_data' }]);
  return userOf(given);
}

const sameUser = (a: UserDataDto, b: UserDataDto): boolean => jsonEquals(asJson(a), asJson(b));

const asJson = (user: UserDataDto): JsonObject => new JsonObject(new Map(Object.entries(user) as [string, Json][]));

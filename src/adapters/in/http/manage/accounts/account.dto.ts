import { type AccountRole } from '../../../../../domain/accounts/account';
import { roles, type Role } from '../../../../../domain/accounts/viewer';
import { InvalidInput } from '../../../../../domain/shared/errors';
import {
  Description,
  Flag,
  HeaderText,
  OneOf,
  Optional,
  Required,
  Rule,
  sizedText,
  Text,
  type ValueRule,
} from '../../../../dto/decorators';

/** A sign-in name in the form of an address. Nothing checks whether it can receive mail. */
const email: ValueRule = {
  schema: { type: 'string', minLength: 3, maxLength: 200 },
  problemOf: (value: unknown) =>
    sizedText(200).problemOf(value) ?? (/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(String(value).trim()) ? undefined : 'must be an email address'),
};

/** Text from the sign-in form, including passwords. The domain checks the rules of passwords. */
const Typed = (): PropertyDecorator => Text(1000);

/** A role with its partner: `client_id` for a host app, `app_id` for a miniapp, neither for the operator. */
@Description('A role, and the partner that it is for.')
export class RoleDto {
  @Required('What it may do: run the service, or work for one partner.') @OneOf(roles) role!: Role;
  @Optional('Client ID of the host app; required with the role `host-app`, and absent with the others.') @HeaderText(64) client_id?: string;
  @Optional('App ID of the miniapp; required with the role `miniapp`, and absent with the others.') @HeaderText(64) app_id?: string;
}

@Description('An account that the operator makes.')
export class InviteDto extends RoleDto {
  @Required('E-mail address with which its owner signs in; no mail is sent there.') @Rule(email) email!: string;
  @Required('Name of its owner for people.') @Text(100) name!: string;
}

@Description('What changes at an account.')
export class AccountPatchDto {
  @Optional('New name for people.') @Text(100) name?: string;
  @Optional('True locks the account and ends its sessions; false unlocks it.') @Flag() disabled?: boolean;
}

/** An email and its password, or the token of a one-time link with the password to set. */
@Description('An address and its password; or the token of a one-time link, with the password to set.')
export class SignInDto {
  @Optional('E-mail address of the account; goes with `password`.') @Typed() email?: string;
  @Optional('Password of the account, as it was typed.') @Typed() password?: string;
  @Optional('Token of a one-time link, from the part of its URL after `#`.') @Typed() token?: string;
  @Optional('Password to set, with the token of a link that sets one.') @Typed() new_password?: string;
}

@Description('The password before, and the new one.')
export class PasswordDto {
  @Optional('Present password; absent for an account that has none yet.') @Typed() password?: string;
  @Required('Password that holds from now on.') @Typed() new_password!: string;
}

/** Throws InvalidInput where the ids do not fit the role. */
export function accountRole({ role, client_id: clientId, app_id: appId }: RoleDto): AccountRole {
  const wanted = { operator: [], 'host-app': ['client_id'], miniapp: ['app_id'] }[role] as readonly string[];
  const given = Object.entries({ client_id: clientId, app_id: appId }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const problems = [
    ...wanted.filter((name) => !given.includes(name)).map((path) => ({ path, rule: 'is required' })),
    ...given.filter((name) => !wanted.includes(name)).map((path) => ({ path, rule: `must be absent with the role ${role}` })),
  ];
  if (problems.length > 0) throw new InvalidInput(problems);
  if (role === 'host-app') return { role, clientId: clientId ?? '' };
  return role === 'miniapp' ? { role, appId: appId ?? '' } : { role: 'operator' };
}

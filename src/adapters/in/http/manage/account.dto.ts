import { type AccountRole } from '../../../../domain/accounts/account';
import { roles, type Role } from '../../../../domain/accounts/viewer';
import { InvalidInput } from '../../../../domain/shared/errors';
import { Flag, HeaderText, OneOf, Optional, Required, Rule, sizedText, Text, type ValueRule } from '../../../dto/decorators';

/** A name at the sign-in: something like an address; whether mail arrives there is not our matter. */
const email: ValueRule = {
  schema: { type: 'string', minLength: 3, maxLength: 200 },
  problemOf: (value: unknown) =>
    sizedText(200).problemOf(value) ?? (/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(String(value).trim()) ? undefined : 'must be an email address'),
};

/** A text as it was typed at the sign-in, passwords too; the rules of passwords are the domain's. */
const Typed = (): PropertyDecorator => Text(1000);

/** The partner of a role: `client_id` of a host app, `app_id` of a miniapp, neither of the operator. */
export class RoleDto {
  @Required() @OneOf(roles) role!: Role;
  @Optional() @HeaderText(64) client_id?: string;
  @Optional() @HeaderText(64) app_id?: string;
}

export class InviteDto extends RoleDto {
  @Required() @Rule(email) email!: string;
  @Required() @Text(100) name!: string;
}

export class AccountPatchDto {
  @Optional() @Text(100) name?: string;
  @Optional() @Flag() disabled?: boolean;
}

/** An email and its password; or the token of a one-time link, with the password that it shall set. */
export class SignInDto {
  @Optional() @Typed() email?: string;
  @Optional() @Typed() password?: string;
  @Optional() @Typed() token?: string;
  @Optional() @Typed() new_password?: string;
}

export class PasswordDto {
  @Optional() @Typed() password?: string;
  @Required() @Typed() new_password!: string;
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

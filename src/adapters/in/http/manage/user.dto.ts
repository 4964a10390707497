import { ValidateIf } from 'class-validator';
import type { Request } from 'express';
import { InvalidInput } from '../../../../domain/shared/errors';
import { factsIn } from './json-body';
import { present } from './present';
import { HeaderText, Optional, Required, Rule, Text } from '../../../dto/decorators';

const userId = /^[0-9a-f]{64}$/;

/** Whom it is about: by the reference, or by the id that stands for it in lists. */
export class UserDto {
  @Required() @HeaderText(64) client_id!: string;
  @ValidateIf(({ user_id: id }: UserDto) => id === undefined)
  @Required()
  @Text(255)
  reference?: string;
  @Optional()
  @Rule({
    schema: { type: 'string', pattern: userId.source },
    problemOf: (value) => (typeof value === 'string' && userId.test(value) ? undefined : 'must be an id of the list of users'),
  })
  user_id?: string;
}

/** The user in the body. Throws InvalidInput. */
export function userIn(req: Request): { readonly clientId: string; readonly reference?: string; readonly userId?: string } {
  const { client_id: clientId, reference, user_id: userId } = factsIn(req, UserDto);
  if (reference !== undefined && userId !== undefined)
    throw new InvalidInput([{ path: 'user_id', rule: 'must be absent beside a reference' }]);
  return present({ clientId, reference, userId });
}

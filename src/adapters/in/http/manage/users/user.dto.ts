import { ValidateIf } from 'class-validator';
import type { Request } from 'express';
import { InvalidInput } from '../../../../../domain/shared/errors';
import { readInput } from '../http/json-body';
import { present } from '../http/present';
import { Description, HeaderText, Optional, Required, Rule, Text } from '../../../../dto/decorators';

const userId = /^[0-9a-f]{64}$/;

/** A user, by reference or by the id that the list of users shows. */
@Description('A user, by the reference or by the id of the list of users.')
export class UserDto {
  @Required('Client ID of the host app whose user it is.') @HeaderText(64) client_id!: string;
  @ValidateIf(({ user_id: id }: UserDto) => id === undefined)
  @Required('Whole reference at the host app; required without `user_id`.')
  @Text(255)
  reference?: string;
  @Optional('Id of the list of users, which stands for the reference; absent beside a reference.')
  @Rule({
    schema: { type: 'string', pattern: userId.source },
    problemOf: (value) => (typeof value === 'string' && userId.test(value) ? undefined : 'must be an id of the list of users'),
  })
  user_id?: string;
}

/** Reads the user from the body. Throws InvalidInput. */
export async function userIn(req: Request): Promise<{ readonly clientId: string; readonly reference?: string; readonly userId?: string }> {
  const { client_id: clientId, reference, user_id: userId } = await readInput(req, UserDto);
  if (reference !== undefined && userId !== undefined)
    throw new InvalidInput([{ path: 'user_id', rule: 'must be absent beside a reference' }]);
  return present({ clientId, reference, userId });
}

import type { JsonObject } from '../../../../domain/shared/json';
import type { ReadUser } from '../../../../domain/sso/login-with-payload';
import type { UserData } from '../../../../domain/sso/user-data';
import { readDto } from '../../../dto/read-dto';
import { UserDataDto } from './sign-on.dto';

/** Converts validated user data to a user. */
export const userOf = (given: UserDataDto): UserData => ({
  reference: given.reference,
  email: given.email,
  phone: given.phone,
  firstName: given.first_name,
  lastName: given.last_name,
  customAttributes: given.custom_attributes,
});

/** Reads a user from JSON by the rules of connect. Returns `undefined` when it breaks one. */
export const readUser: ReadUser = (json: JsonObject) => {
  const { dto, problems } = readDto(UserDataDto, json);
  return problems.length === 0 ? userOf(dto) : undefined;
};

import { refusal } from '../shared/errors';
import type { JsonObject } from '../shared/json';
import type { Miniapp, UserField } from '../partners/miniapp';

/** A user of a host app. */
export interface UserKey {
  /** The host app's Client ID. */
  readonly clientId: string;
  /** The user's reference at the host app. */
  readonly reference: string;
}

/** User data from the host app. Sizes and formats were checked on receipt (contract/sign-on#user-data). */
export interface UserData {
  /** The host app's id of the user, 1 to 100 characters. */
  readonly reference: string;
  readonly email?: string | undefined;
  /** E.164. */
  readonly phone?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Passed on unchanged. */
  readonly customAttributes?: JsonObject | undefined;
}

/** Fields that the miniapp needs to create its user, and that are missing. */
export function missingUserFields(user: UserData, { settings }: Miniapp): readonly UserField[] {
  const missing = settings.requiredUserFields.filter((field) => !isGiven(valueOf(user, field)));
  if (settings.kind === 'commerce' && !user.email && !user.phone) {
    for (const field of ['email', 'phone'] as const) if (!missing.includes(field)) missing.push(field);
  }
  return missing;
}

/** Throws INVALID_USER_DATA, with the missing fields, where the miniapp needs more to create its user. */
export function requireUserFields(user: UserData, miniapp: Miniapp): void {
  const missing = missingUserFields(user, miniapp);
  if (missing.length === 0) return;
  const { settings } = miniapp;
  const rule = settings.kind === 'commerce' ? 'required by the miniapp (a commerce miniapp: e-mail or phone)' : 'required by the miniapp';
  const fields = missing.map((field) => ({ path: `user_data.${field}`, rule }));
  throw refusal('invalid', 'INVALID_USER_DATA', { fields, side: 'hostapp' }, `The miniapp needs: ${missing.join(', ')}`);
}

function valueOf(user: UserData, field: UserField): string | JsonObject | undefined {
  switch (field) {
    case 'email':
      return user.email;
    case 'phone':
      return user.phone;
    case 'first_name':
      return user.firstName;
    case 'last_name':
      return user.lastName;
    case 'custom_attributes':
      return user.customAttributes;
  }
}

const isGiven = (value: string | JsonObject | undefined): boolean => value !== undefined && value !== '';

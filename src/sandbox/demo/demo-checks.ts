import { memberOf } from '../read-body';

/** Returns the problem of an answer, or `undefined`. */
export type Check = (body: unknown) => string | undefined;

export const holdsTexts =
  (...names: readonly string[]): Check =>
  (body) => {
    const missing = names.filter((name) => typeof memberOf(body, name) !== 'string');
    return missing.length === 0 ? undefined : `without ${missing.join(', ')}`;
  };

export const hasMember =
  (name: string, value: string | boolean): Check =>
  (body) =>
    memberOf(body, name) === value ? undefined : `${name} is not ${String(value)}`;

export const refuses = (code: string): Check => hasMember('error_code', code);

/** The Authorization header for Basic. */
export const basicHeader = (user: string, secret: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
});

import { memberOf } from './read-body';

/** The problem of an answer; `undefined`: none. */
export type Check = (body: unknown) => string | undefined;

export const holdsTexts =
  (...names: readonly string[]): Check =>
  (body) => {
    const missing = names.filter((name) => typeof memberOf(body, name) !== 'string');
    return missing.length === 0 ? undefined : `without ${missing.join(', ')}`;
  };

export const says =
  (name: string, value: string | boolean): Check =>
  (body) =>
    memberOf(body, name) === value ? undefined : `${name} is not ${String(value)}`;

export const refuses = (code: string): Check => says('error_code', code);

/** An Authorization header of Basic. */
export const basicHeader = (user: string, secret: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
});

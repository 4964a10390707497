import { JsonObject, JsonSyntaxError } from '../domain/shared/json';
import { readJson } from '../domain/shared/read-json';
import type { Outcome } from './ports';
import { Unmet } from './verdict';

const faultFix = 'Answer what you refuse with 4xx, or 200, and the Error body; a 5xx says that your own code broke.';
const silenceFix = 'Answer every call within the deadline, also those that you refuse.';
const absenceFix = 'Look at --url and at the URLs of the settings, and whether the partner is started.';

/** Connection errors that later calls cannot recover from. */
export const isAbsence = (silence: string): boolean => /nothing listens|name of the host/.test(silence);

/** Throws Unmet when there is no answer. */
export function requireAnswer({ silence }: Outcome): void {
  if (silence !== undefined) throw new Unmet(silence, isAbsence(silence) ? absenceFix : silenceFix);
}

/** Throws Unmet for a server error, a redirect, or no answer. */
export function requireHarmless(outcome: Outcome): void {
  requireAnswer(outcome);
  const { status } = outcome;
  if (status >= 500) throw new Unmet(`answered ${shortOf(outcome)}: a fault in place of an answer`, faultFix);
  if (status >= 300 && status < 400) throw new Unmet(`answered ${shortOf(outcome)}: redirects are not followed`);
}

/** Throws Unmet for everything that `requireHarmless` refuses, and for an accepted call. */
export function requireRefusal(outcome: Outcome): void {
  requireHarmless(outcome);
  if (outcome.status < 300 && codeOf(outcome) === undefined) throw new Unmet(`answered ${shortOf(outcome)}: the call was taken`);
}

/** The JSON object of an answer; `undefined` when there is none. */
export function jsonOf({ body }: Outcome): JsonObject | undefined {
  try {
    const json = readJson(body);
    return json instanceof JsonObject ? json : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The `error_code` that makes an answer a refusal. */
export function codeOf(outcome: Outcome): string | undefined {
  const code = jsonOf(outcome)?.get('error_code');
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** A short description of an answer. Quotes nothing of its content but the error code. */
export function shortOf(outcome: Outcome): string {
  const { status, contentType, body } = outcome;
  const code = codeOf(outcome);
  const [type = ''] = contentType.split(';');
  return [String(status), code?.slice(0, 64), type, `${String(body.length)} bytes`].filter(Boolean).join(' ');
}

import { JsonNumber, JsonObject, JsonSyntaxError, type Json } from '../domain/shared/json';
import { readJson } from '../domain/shared/read-json';
import type { JsonMembers, JsonValue } from './bodies';
import { CallRefused } from './call-refused';

/**
 * Parses a body to plain values as strictly as the service: UTF-8, no duplicate names, 64 levels. A number that a double cannot hold
 * exactly becomes its text. Throws CallRefused.
 */
export function readObject(body: Uint8Array): JsonMembers {
  try {
    const json = readJson(body);
    if (json instanceof JsonObject) return membersOf(json);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  throw new CallRefused('PARSING_ERROR_INVALID_REQUEST_BODY', 'The body is not a JSON object');
}

// `fromEntries` defines own members, so that `__proto__` is an ordinary name.
const membersOf = ({ members }: JsonObject): JsonMembers => Object.fromEntries([...members].map(([name, value]) => [name, plainOf(value)]));

function plainOf(json: Json): JsonValue {
  if (json instanceof JsonNumber) return numberOf(json.text);
  if (json instanceof JsonObject) return membersOf(json);
  return isArray(json) ? json.map(plainOf) : json;
}

const isArray = (json: Exclude<Json, JsonNumber | JsonObject>): json is readonly Json[] => Array.isArray(json);

/** A double distinguishes all decimals of up to 15 digits. */
const exactDigits = 15;

function numberOf(text: string): number | string {
  const [written = ''] = text.split(/[eE]/, 1);
  const digits = written.replace(/\D/g, '').replace(/^0+/, '');
  const value = Number(text);
  return digits.length <= exactDigits && Number.isFinite(value) && (value !== 0 || digits === '') ? value : text;
}

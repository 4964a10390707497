import { JsonNumber, JsonObject, type Json } from './json';
import { bytesOfQuoted } from './print-json';

/** Whether the printed JSON has at most so many bytes. Prints nothing: a partner's answer can hold sixteen times as much as it may. */
export const fitsIn = (json: Json, maxBytes: number): boolean => left(json, maxBytes) >= 0;

/** The bytes that are left of `bytes` after the printed value; negative, and then not exact, where it takes more. */
function left(json: Json, bytes: number): number {
  if (typeof json === 'string') return bytes - bytesOfQuoted(json);
  if (json instanceof JsonNumber) return bytes - json.text.length;
  if (json instanceof JsonObject) return leftAfterMembers(json, bytes);
  if (json === null || typeof json === 'boolean') return bytes - String(json).length;
  let rest = bytes - 2 - Math.max(0, json.length - 1);
  for (let i = 0; i < json.length && rest >= 0; i++) rest = left(json[i]!, rest);
  return rest;
}

function leftAfterMembers({ members }: JsonObject, bytes: number): number {
  let rest = bytes - 2 - Math.max(0, members.size - 1);
  for (const [name, value] of members) {
    if (rest < 0) return rest;
    rest = left(value, rest - bytesOfQuoted(name) - 1);
  }
  return rest;
}

import { readFile } from 'node:fs/promises';
import { JsonObject, type Json } from '../../domain/shared/json';
import { readJson } from '../../domain/shared/read-json';
import { WrongUsage } from '../tasks/explain-request';

/** The settings of a run: those of the file, overridden by `--set`. Throws WrongUsage. */
export async function conformFile(file: string | undefined, sets: readonly string[]): Promise<JsonObject> {
  const base = file === undefined ? new JsonObject(new Map()) : await objectIn(file);
  return sets.reduce((settings, text) => {
    const [, name, colon, value = ''] = /^([^=:]+)(:?)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) throw new WrongUsage(`--set ${text}: must be name=text or name:=JSON`);
    return withMember(settings, name.split('.'), colon ? jsonIn(name, value) : value);
  }, base);
}

async function objectIn(file: string): Promise<JsonObject> {
  const bytes = await readFile(file);
  const json = jsonOf(bytes);
  if (json instanceof JsonObject) return json;
  throw new WrongUsage(`${file} must hold a JSON object`);
}

function withMember(object: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject {
  const members = new Map(object.members);
  const inner = members.get(name);
  if (rest.length === 0) members.set(name, value);
  else members.set(name, withMember(inner instanceof JsonObject ? inner : new JsonObject(new Map()), rest, value));
  return new JsonObject(members);
}

function jsonIn(name: string, text: string): Json {
  const json = jsonOf(Buffer.from(text));
  if (json === undefined) throw new WrongUsage(`--set ${name}: the text behind := is no JSON`);
  return json;
}

function jsonOf(bytes: Uint8Array): Json | undefined {
  try {
    return readJson(bytes);
  } catch {
    return undefined; // no JSON: whoever asks says what that means
  }
}

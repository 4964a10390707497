import { JsonObject, printJson, readJson, type Json } from '../domain/shared/json';
import type { Draft } from './ports';

/** One thing made different in a request. */
export type Change = (draft: Draft) => Draft;

const isNamed =
  (name: string) =>
  ([other]: readonly [string, string]): boolean =>
    other.toLowerCase() === name.toLowerCase();

export const headerOf = ({ headers }: Draft, name: string): string | undefined => Object.entries(headers).find(isNamed(name))?.[1];

export const withoutHeader =
  (name: string): Change =>
  (draft) => ({ ...draft, headers: Object.fromEntries(Object.entries(draft.headers).filter((entry) => !isNamed(name)(entry))) });

/** In place of the header of that name, if there is one. */
export const withHeader =
  (name: string, value: string): Change =>
  (draft) => ({ ...draft, headers: { ...withoutHeader(name)(draft).headers, [name]: value } });

export const withMethod =
  (method: string): Change =>
  (draft) => ({ ...draft, method });

export const withUrl =
  (change: (url: string) => string): Change =>
  (draft) => ({ ...draft, url: change(draft.url) });

export const withBody =
  (body: string | Uint8Array | undefined): Change =>
  (draft) => ({ ...draft, body: typeof body === 'string' ? new TextEncoder().encode(body) : body });

/** One member of the body is another; `undefined`: it is gone. The text of all others stays as it is printed. */
export const withMember =
  (name: string, value: Json | undefined): Change =>
  (draft) => {
    const members = new Map(bodyOf(draft).members);
    if (value === undefined) members.delete(name);
    else members.set(name, value);
    return withBody(printJson(new JsonObject(members)))(draft);
  };

/** Every letter beyond ASCII, and every slash, leaves as an escape: the same JSON in other bytes. */
export const escaped: Change = (draft) => {
  const text = printJson(bodyOf(draft));
  const spelt = [...text].map((character) => (/[^\x20-\x7e]|\//.test(character) ? unitsOf(character) : character)).join('');
  return withBody(spelt)(draft);
};

const unitsOf = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

function bodyOf({ body }: Draft): JsonObject {
  const json = readJson(body ?? new Uint8Array());
  return json instanceof JsonObject ? json : new JsonObject(new Map());
}

/** One change after the other. */
export const all =
  (...changes: readonly Change[]): Change =>
  (draft) =>
    changes.reduce((changed, change) => change(changed), draft);

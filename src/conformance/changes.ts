import { JsonObject, type Json } from '../domain/shared/json';
import { readJson } from '../domain/shared/read-json';
import { printJson } from '../domain/shared/print-json';
import type { Draft } from './ports';

/** A change to a request. */
export type Change = (draft: Draft) => Draft;

const isNamed =
  (name: string) =>
  ([other]: readonly [string, string]): boolean =>
    other.toLowerCase() === name.toLowerCase();

export const headerOf = ({ headers }: Draft, name: string): string | undefined => Object.entries(headers).find(isNamed(name))?.[1];

export const withoutHeader =
  (name: string): Change =>
  (draft) => ({ ...draft, headers: Object.fromEntries(Object.entries(draft.headers).filter((entry) => !isNamed(name)(entry))) });

/** Sets a header, and replaces any header of that name. */
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

/** Sets one member of the body, or removes it for `undefined`. The text of the other members stays the same. */
export const withMember =
  (name: string, value: Json | undefined): Change =>
  (draft) => {
    const members = new Map(bodyOf(draft).members);
    if (value === undefined) members.delete(name);
    else members.set(name, value);
    return withBody(printJson(new JsonObject(members)))(draft);
  };

/** Writes every non-ASCII character and every slash as an escape: the same JSON in other bytes. */
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

/** Applies the changes in order. */
export const all =
  (...changes: readonly Change[]): Change =>
  (draft) =>
    changes.reduce((changed, change) => change(changed), draft);

import { LRUCache } from 'lru-cache';
import { deepFreeze } from '../../../../domain/shared/deep-freeze';

/** The maximum number of cached parts, and the maximum length of one as JSON. */
const [maxParts, maxLength] = [2000, 1000];

const known = new LRUCache<string, object>({ max: maxParts });

/**
 * Returns settings whose parts, such as the features or the signature settings, are frozen objects shared by all records with an equal
 * part. Most partners have most parts in common, so the parts that every call reads stay in the CPU caches, however many partners call in
 * rotation. Settings are built member by member, so that those of all records have one hidden class (ADR 042).
 */
export function withSharedParts<Settings extends object>(settings: Settings): Settings {
  const parts = Object.entries(settings).map(([name, part]: [string, unknown]) => [name, isObject(part) ? shared(part) : part] as const);
  return Object.fromEntries(parts) as Settings;
}

function shared(part: object): object {
  const text = JSON.stringify(part);
  if (text.length > maxLength) return part;
  const found = known.get(text);
  if (found) return found;
  known.set(text, deepFreeze(part));
  return part;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

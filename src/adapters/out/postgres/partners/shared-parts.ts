import { LRUCache } from 'lru-cache';
import { deepFreeze } from '../../../../domain/shared/deep-freeze';

/** Parts that are remembered, and the length of one as JSON. */
const [mostParts, mostLength] = [2000, 1000];

const known = new LRUCache<string, object>({ max: mostParts });

/**
 * Settings in which each part, such as the features or the rules of signing, is the one frozen object that all records with an
 * equal part have. Most partners have most parts in common: parts that every call reads then stay in the processor's caches,
 * however many partners call in rotation. They are put together member by member, so that those of all records have one shape
 * (ADR 042).
 */
export function withSharedParts<Settings extends object>(settings: Settings): Settings {
  const parts = Object.entries(settings).map(([name, part]: [string, unknown]) => [name, isObject(part) ? shared(part) : part] as const);
  return Object.fromEntries(parts) as Settings;
}

function shared(part: object): object {
  const text = JSON.stringify(part);
  if (text.length > mostLength) return part;
  const found = known.get(text);
  if (found) return found;
  known.set(text, deepFreeze(part));
  return part;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

import { JsonObject } from '../../domain/shared/json';
import { number } from '../run-state';

/** Text in several scripts, with a character beyond the basic plane, a right-to-left word and joined emoji. */
export const manyScripts = 'Zoë 森由紀 Ωμέγα мир سلام 👩‍🚀 “quoted” back\\slash / tab\tline\nend';

/** Numbers that no binary float can hold; partners must keep their digits. */
export const longDecimals = { whole: '12345678901234567890', money: '123456789012345678.90', small: '0.10', exponent: '1.20e3' } as const;

/** Nested objects with nulls, empty objects, and numbers that no binary float can hold. */
export const nested = JsonObject.of({
  deep: JsonObject.of({ list: [number(longDecimals.whole), null, JsonObject.of({ amount: number(longDecimals.money) })], none: null }),
  empty: JsonObject.of({}),
  text: manyScripts,
});

/** An object of about `bytes` bytes, in many members. */
export function wide(bytes: number): JsonObject {
  const members = Array.from({ length: Math.ceil(bytes / 1000) }, (_, i) => [`part_${String(i)}`, 'x'.repeat(985)] as const);
  return JsonObject.of(Object.fromEntries(members));
}

/** A JSON schema, as Fastify compiles it. */
export type Schema = Readonly<Record<string, unknown>>;

export const text = (maxLength: number): Schema => ({ type: 'string', maxLength });
export const id = text(64);
/** In plain notation, 20 digits at most, two of them after the point; or a JSON number. */
export const decimal: Schema = {
  anyOf: [
    { type: 'string', pattern: '^\\d{1,18}(?:\\.\\d{1,2})?$' },
    { type: 'number', minimum: 0 },
  ],
};

/** An object with what it must have, and what it may have besides; others pass. */
export function object(required: Readonly<Record<string, Schema>>, optional: Readonly<Record<string, Schema>> = {}): Schema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

export const list = (items: Schema, maxItems: number): Schema => ({ type: 'array', items, minItems: 1, maxItems });

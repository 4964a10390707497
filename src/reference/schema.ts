/** A JSON Schema (2020-12), as far as the descriptions use it. */
export interface Schema extends Readonly<Record<string, unknown>> {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly description?: string;
}

export const text: Schema = { type: 'string' };
export const number: Schema = { type: 'number' };
export const whole: Schema = { type: 'integer' };
/** A count or a length: never below 0. */
export const count: Schema = { type: 'integer', minimum: 0 };
export const flag: Schema = { type: 'boolean' };
/** RFC 3339 in UTC. */
export const time: Schema = { type: 'string', format: 'date-time' };
export const day: Schema = { type: 'string', format: 'date' };
export const uri: Schema = { type: 'string', format: 'uri' };
/** JSON of any kind. */
export const anything: Schema = {};
/** An object of any members. */
export const anyObject: Schema = { type: 'object', additionalProperties: true };

export const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words });
export const list = (items: Schema): Schema => ({ type: 'array', items });
/** An object that maps names to values of one kind. */
export const map = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const saying = (description: string, schema: Schema): Schema => ({ ...schema, description });

/** That, or null. */
export const orNull = (schema: Schema): Schema =>
  typeof schema.type === 'string' && !('enum' in schema)
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** An object; a name that ends in `?` need not be there. */
export function members(of: Readonly<Record<string, Schema>>): Schema {
  const names = Object.keys(of);
  const required = names.filter((name) => !name.endsWith('?'));
  const properties = Object.fromEntries(Object.entries(of).map(([name, schema]) => [name.replace(/\?$/, ''), schema]));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** A page of a list. */
export const page = (items: Schema): Schema =>
  members({
    data: list(items),
    next_cursor: saying('`cursor` of the page that follows; null: this is the last.', orNull(text)),
  });

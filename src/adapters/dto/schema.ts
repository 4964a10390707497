/** The part of JSON Schema (2020-12) that the descriptions use. */
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
/** A count or a length; never negative. */
export const count: Schema = { type: 'integer', minimum: 0 };
export const flag: Schema = { type: 'boolean' };
/** RFC 3339 in UTC. */
export const time: Schema = { type: 'string', format: 'date-time' };
export const day: Schema = { type: 'string', format: 'date' };
export const uri: Schema = { type: 'string', format: 'uri' };
/** JSON of any kind. */
export const anything: Schema = {};
/** An object with any members. */
export const anyObject: Schema = { type: 'object', additionalProperties: true };

export const oneOf = (...words: readonly string[]): Schema => ({ type: 'string', enum: words });
export const list = (items: Schema): Schema => ({ type: 'array', items });
/** An object that maps names to values of one kind. */
export const map = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const described = (description: string, schema: Schema): Described => ({ ...schema, description });

/** The schema, or null. */
export const orNull = (schema: Schema): Schema =>
  typeof schema.type === 'string' && !('enum' in schema)
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** A schema with a description that adds to the member's name. */
export type Described = Schema & { readonly description: string };
export type Member = Described | readonly [schema: Schema, description: string];
export type Members = Readonly<Record<string, Member>>;

export const memberSchema = (member: Member): Described => (isPair(member) ? { ...member[0], description: member[1] } : member);
const isPair = (member: Member): member is readonly [schema: Schema, description: string] => Array.isArray(member);

/** An object with these members; a trailing `?` makes one optional. */
export function members(of: Members): Schema {
  const names = Object.keys(of);
  const required = names.filter((name) => !name.endsWith('?'));
  const properties = Object.fromEntries(Object.entries(of).map(([name, member]) => [name.replace(/\?$/, ''), memberSchema(member)]));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Like `members`, with a description of the object. */
export const object = (description: string, of: Members): Schema => ({ description, ...members(of) });

/** A page of a list. */
export const page = (items: Schema): Schema =>
  object('A page of the list.', {
    data: [list(items), 'The entries of the page.'],
    next_cursor: [orNull(text), '`cursor` of the page that follows; null: this is the last.'],
  });

/** A page of a list of records that have this schema. */
export const pageOf = (name: string): Schema => page(ref(name));

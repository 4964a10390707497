import type { Schema } from './schema';

/** What members are, by `Schema.member` or, where it is the same everywhere, by the name alone. */
export type Glossary = Readonly<Record<string, string>>;

/**
 * Schemas whose every member is described: by itself or by the glossary. Throws Error with all members that nobody describes,
 * and with all entries of the glossary that describe nothing.
 */
export class Describing {
  private readonly missing = new Set<string>();
  private readonly used = new Set<string>();

  constructor(private readonly glossary: Glossary) {}

  /** `name`: the schema's own, or where it stands. */
  schema(name: string, schema: Schema): Schema {
    const properties =
      schema.properties &&
      Object.fromEntries(Object.entries(schema.properties).map(([member, of]) => [member, this.member(name, member, of)]));
    return {
      ...schema,
      ...(properties && { properties }),
      ...(schema.items && { items: this.schema(name, schema.items) }),
      ...(isSchema(schema['additionalProperties']) && { additionalProperties: this.schema(name, schema['additionalProperties']) }),
      ...combined.reduce((found, word) => {
        const parts = schema[word] as readonly Schema[] | undefined;
        return parts ? { ...found, [word]: parts.map((part) => this.schema(name, part)) } : found;
      }, {}),
    };
  }

  close(): void {
    const idle = Object.keys(this.glossary).filter((entry) => !this.used.has(entry));
    const problems = [...[...this.missing].map((one) => `${one}: not described`), ...idle.map((one) => `${one}: described and not there`)];
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  private member(parent: string, name: string, schema: Schema): Schema {
    const described = this.schema(name, schema);
    const entry = [`${parent}.${name}`, name].find((one) => Object.hasOwn(this.glossary, one));
    if (entry === undefined) {
      if (schema.description === undefined) this.missing.add(`${parent}.${name}`);
      return described;
    }
    this.used.add(entry);
    const own = schema.description === undefined ? '' : ` ${schema.description}`;
    return { ...described, description: `${this.glossary[entry] ?? ''}${own}` };
  }
}

const combined = ['anyOf', 'oneOf', 'allOf'] as const;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

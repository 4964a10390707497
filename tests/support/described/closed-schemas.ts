import type { Schema } from '../../../src/adapters/dto/schema';

const shapes = ['anyOf', 'oneOf', 'allOf'] as const;

/** How a schema of a document is referred to by those that are made of it. */
export type Naming = (name: string, isClosed: boolean) => string;

/**
 * Schemas for answers: an object that lists its members has no others. Documents leave that open, since members may be added; the
 * answers of the version at hand have none that is not described.
 */
export class ClosedSchemas {
  constructor(private readonly naming: Naming) {}

  /** With no member besides those that it lists. */
  closed(schema: Schema): Schema {
    const { $ref, ...beside } = schema;
    if ($ref !== undefined && Object.keys(beside).every((word) => word === 'description')) return { $ref: this.renamed($ref, true) };
    const open = this.open(schema);
    if ($ref !== undefined || schema['allOf'] !== undefined) return { ...open, unevaluatedProperties: false };
    if (schema.properties && schema['additionalProperties'] === undefined) return { ...open, unevaluatedProperties: false };
    const either = shapes.find((word) => schema[word] !== undefined);
    return either === undefined ? open : { ...open, [either]: partsOf(schema, either).map((part) => this.closed(part)) };
  }

  /** As a part of another schema, which closes both; its members' schemas are closed by themselves. */
  open(schema: Schema): Schema {
    const { $ref, properties, items, additionalProperties } = schema;
    const kept = Object.entries(properties ?? {}).map(([name, member]) => [name, this.closed(member)] as const);
    const combined = shapes.filter((word) => schema[word] !== undefined);
    return {
      ...schema,
      ...($ref !== undefined && { $ref: this.renamed($ref, false) }),
      ...(properties && { properties: Object.fromEntries(kept) }),
      ...(items && { items: this.closed(items) }),
      ...(isSchema(additionalProperties) && { additionalProperties: this.closed(additionalProperties) }),
      ...Object.fromEntries(combined.map((word) => [word, partsOf(schema, word).map((part) => this.open(part))])),
    };
  }

  private renamed(ref: string, isClosed: boolean): string {
    return this.naming(ref.split('/').at(-1) ?? '', isClosed);
  }
}

const partsOf = (schema: Schema, word: (typeof shapes)[number]): readonly Schema[] => schema[word] as readonly Schema[];

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

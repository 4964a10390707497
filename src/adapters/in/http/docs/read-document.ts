/** The parts of an OpenAPI document that the pages show. Only our own documents are read. */
export interface ReadDocument {
  readonly info: { readonly title: string; readonly description: string; readonly summary: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths?: Paths;
  readonly webhooks?: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, ReadSchema>>; readonly responses?: Readonly<Record<string, Answer>> };
  readonly 'x-error-codes'?: Readonly<Record<string, unknown>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, ReadOperation>>>>;

export interface ReadSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ReadSchema>>;
  readonly required?: readonly string[];
  readonly items?: ReadSchema;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly ReadSchema[];
  readonly oneOf?: readonly ReadSchema[];
  readonly allOf?: readonly ReadSchema[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: ReadSchema; readonly example?: unknown }>>;
}

interface Answer extends Content {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface ReadOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: ReadSchema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly 'x-audience'?: readonly string[];
}

/** A member of an object, or a parameter. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly schema: ReadSchema;
  readonly note?: string;
}

/** All operations in the order of the document. */
export const methodsOf = ({ paths, webhooks }: ReadDocument) =>
  Object.entries(paths ?? webhooks ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const nameIn = ($ref: string): string => $ref.split('/').pop() ?? '';

/** Follows the reference of an answer that several operations share. */
export const resolved = ({ components }: ReadDocument, answer: Answer): Answer =>
  answer.$ref === undefined ? answer : (components.responses?.[nameIn(answer.$ref)] ?? answer);

/** Members of an object, of the objects in a list, or of a combined schema; empty for anything else. */
export function membersOf(document: ReadDocument, schema: ReadSchema): readonly Member[] {
  if (schema.$ref !== undefined) return membersOf(document, document.components.schemas[nameIn(schema.$ref)] ?? {});
  if (schema.items) return membersOf(document, schema.items);
  const parts = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (parts && !schema.properties) {
    const all = parts.flatMap((part) => membersOf(document, part));
    return all.filter((one, i) => all.findIndex(({ name }) => name === one.name) === i);
  }
  return Object.entries(schema.properties ?? {}).map(([name, of]) => ({
    name,
    required: schema.required?.includes(name) === true,
    schema: of,
  }));
}

/** A short description of a value's type. */
export function typeOf(schema: ReadSchema): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if (schema.items) return `list of ${typeOf(schema.items) || 'anything'}`;
  if (schema.enum) return schema.enum.join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (parts) return [...new Set(parts.map(typeOf))].filter(Boolean).join(schema.allOf ? ' and ' : ' or ');
  const { type = 'anything', format, maxLength, minimum, maximum } = schema;
  const words = (typeof type === 'string' ? [type] : type)
    .join(' or ')
    .replace('string', format ?? 'text')
    .replace('integer', 'whole number')
    .replace('boolean', 'true or false');
  const size = maxLength === undefined ? '' : `, at most ${maxLength} characters`;
  const range = minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
  return words + size + range;
}

import { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage.js';
import { ValidationTypes } from 'class-validator/cjs/validation/ValidationTypes.js';
import { nestedTypeOf } from '../adapters/dto/nested';
import { ref, type Schema } from './schema';

export type Class = new () => object;
/** The library says nothing of the constraints of some rules. */
type Metadata = Omit<ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number], 'constraints'> & {
  readonly constraints?: readonly unknown[];
};

/** The named schemas of one document; classes of facts and bodies are read out of the rules that they are declared with. */
export class NamedSchemas {
  private readonly named = new Map<string, Schema>();

  /** `suffix`: stands behind the name of each class that is nested: what is written differs from what is shown. */
  constructor(private readonly suffix = '') {}

  add(name: string, schema: Schema): Schema {
    if (this.named.has(name)) throw new Error(`There are two schemas ${name}`);
    this.named.set(name, schema);
    return ref(name);
  }

  /** The class under its own name, and those that are nested in it. Throws Error for a rule that says nothing of its shape. */
  ofClass(Dto: Class, name = this.nameOf(Dto)): Schema {
    if (!this.named.has(name)) {
      // Known before its members are: classes may name each other.
      this.named.set(name, {});
      this.named.set(name, this.read(Dto));
    }
    return ref(name);
  }

  /** What a class asks for, without a name for itself. */
  read(Dto: Class): Schema {
    const storage = getMetadataStorage();
    const declared = Object.entries(storage.groupByPropertyName(storage.getTargetValidationMetadatas(Dto, '', true, false)));
    const required = declared.filter(([, metadata]) => isRequired(metadata)).map(([name]) => name);
    const properties = Object.fromEntries(declared.map(([name, metadata]) => [name, this.member(Dto, name, metadata)]));
    return { type: 'object', properties, ...(required.length > 0 && { required }) };
  }

  all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private nameOf(Dto: Class): string {
    return Dto.name.replace(/(?:Dto|Reply)$/, '') + this.suffix;
  }

  private member(Dto: Class, name: string, metadata: readonly Metadata[]): Schema {
    for (const { name: rule, constraints } of metadata) {
      const [given] = (constraints ?? []) as readonly FactParameters[];
      if (!given) continue;
      if (rule === 'rule' && Object.keys(given).length > 0) return this.shape(given);
      const make = rule === undefined ? undefined : factRules[rule];
      if (make) return make(given, () => this.nested(Dto, name));
    }
    throw new Error(`${Dto.name}.${name} has no rule that says what it asks for`);
  }

  /** A rule of the manage API: its shape is a schema, but for the class of what is nested. */
  private shape({ of, ...shape }: FactParameters): Schema {
    if (!of) return shape;
    return shape.type === 'array' ? { ...shape, items: this.ofClass(of()) } : this.ofClass(of());
  }

  private nested(Dto: Class, name: string): Schema {
    const nested = nestedTypeOf(Dto, name);
    if (!nested) throw new Error(`${Dto.name}.${name} is nested in nothing`);
    return this.ofClass(nested.type());
  }
}

const isRequired = (metadata: readonly Metadata[]): boolean =>
  metadata.some(({ type }) => type === ValidationTypes.IS_DEFINED) &&
  !metadata.some(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);

interface FactParameters extends Schema {
  readonly of?: () => Class;
  readonly max?: number;
  readonly min?: number | string;
  readonly maxItems?: number;
  readonly maxBytes?: number;
  readonly pattern?: RegExp | string;
  readonly words?: readonly string[];
  readonly digits?: number;
  readonly scale?: number;
}

const sized = ({ max, min = 0, pattern }: FactParameters): Schema => ({
  type: 'string',
  ...(Number(min) > 0 && { minLength: min }),
  ...(max !== undefined && { maxLength: max }),
  ...(pattern !== undefined && { pattern: typeof pattern === 'string' ? pattern : pattern.source }),
});

function decimal({ digits = 20, scale = 2, min, max }: FactParameters): Schema {
  const range = min === undefined ? 'not below 0' : `from ${min} to ${String(max)}`;
  const rule = `at most ${digits} digits, ${scale} of them after the point, ${range}`;
  return { type: ['string', 'number'], description: `A decimal: text in plain notation, or a number; ${rule}.` };
}

function id(given: FactParameters): Schema {
  const integer = 'A whole number without sign, point and exponent is read as its text: `17` and `"17"` are one id.';
  return { ...sized(given), type: ['string', 'integer'], description: integer };
}

/** The rules of src/adapters/dto and of partners' answers, by name. */
const factRules: Readonly<Record<string, (given: FactParameters, nested: () => Schema) => Schema>> = {
  text: sized,
  id,
  textList: ({ maxItems, ...rules }) => ({ type: 'array', items: sized(rules), maxItems }),
  token: (given) => sized({ ...given, min: 1 }),
  headerToken: (given) => sized({ ...given, min: 1, pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$' }),
  email: ({ max }) => ({ type: 'string', maxLength: max, description: 'An e-mail address. The empty text: not known.' }),
  phone: ({ pattern }) => ({
    type: 'string',
    pattern: `^$|${String(pattern)}`,
    description: 'A phone number in E.164 format. The empty text: not known.',
  }),
  flag: () => ({ type: 'boolean' }),
  quantity: ({ max }) => ({
    type: ['number', 'string'],
    description: `A number or text that is whole by value, from 0 to ${max}: 2, 2.0, "2".`,
  }),
  decimal,
  oneOf: ({ words }) => ({ type: 'string', enum: words }),
  jsonMembers: ({ maxBytes }) => ({ type: 'object', additionalProperties: true, 'x-max-bytes': maxBytes }),
  person: ({ maxBytes }) => ({
    ...{ type: 'object', additionalProperties: true, 'x-max-bytes': maxBytes },
    description: 'Any members; an `email` among them holds no control character.',
  }),
  jsonItems: ({ maxBytes }) => ({ type: 'array', items: {}, 'x-max-bytes': maxBytes }),
  dateTime: ({ max }) => ({ type: 'string', format: 'date-time', maxLength: max }),
  nested: (_given, nested) => nested(),
  nestedList: ({ max }, nested) => ({ type: 'array', items: nested(), maxItems: max }),
  anything: () => ({}),
};

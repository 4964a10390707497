import { ValidationTypes } from 'class-validator';
import { declarationsOf } from '../adapters/dto/declared-members';
import { descriptionOfClass, descriptionOfMember } from '../adapters/dto/description';
import { ruleIn, type DtoClass, type NestedType } from '../adapters/dto/rule';
import { ref, type Described, type Schema } from '../adapters/dto/schema';

export type Class = DtoClass;
type DtoSchema = Schema & { readonly properties: Readonly<Record<string, Described>> };
type Metadata = ReturnType<typeof declarationsOf>[string];

/** The named schemas of one document. Those of DTOs and replies are generated from their declared rules. */
export class NamedSchemas {
  private readonly named = new Map<string, Schema>();

  /** `suffix` is appended to the name of each nested class, because its written form differs from the shown one. */
  constructor(private readonly suffix = '') {}

  add(name: string, schema: Schema): Schema {
    if (this.named.has(name)) throw new Error(`There are two schemas ${name}`);
    this.named.set(name, schema);
    return ref(name);
  }

  /** The class under its own name, with its nested classes. Throws Error for a rule without a schema. */
  ofClass(Dto: Class, name = this.nameOf(Dto)): Schema {
    if (!this.named.has(name)) {
      // Registered before its members, as classes may refer to each other.
      this.named.set(name, {});
      const description = descriptionOfClass(Dto);
      if (description === undefined) throw new Error(`${Dto.name} has no @Description`);
      this.named.set(name, { ...this.read(Dto), description });
    }
    return ref(name);
  }

  /** The schema of a class, without registering a name for it. */
  read(Dto: Class): DtoSchema {
    const declared = Object.entries(declarationsOf(Dto));
    const required = declared.filter(([, metadata]) => isRequired(metadata)).map(([name]) => name);
    const properties = Object.fromEntries(declared.map(([name, metadata]) => [name, this.member(`${Dto.name}.${name}`, metadata)]));
    return { type: 'object', properties, ...(required.length > 0 && { required }) };
  }

  all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private nameOf(Dto: Class): string {
    return Dto.name.replace(/(?:Dto|Reply)$/, '') + this.suffix;
  }

  private member(where: string, metadata: Metadata): Described {
    const described = metadata.map(ruleIn).find((found) => found !== undefined);
    if (!described) throw new Error(`${where} has no rule that says what it asks for`);
    const { schema, nested, items } = described;
    const description = descriptionOfMember(metadata);
    if (description === undefined) throw new Error(`${where} is not described`);
    if (items) return withText(description, { ...schema, items: this.ofClass(items.type()) });
    return withText(description, nested ? this.nested(schema, nested) : schema);
  }

  private nested(schema: Schema, { type, maxItems }: NestedType): Schema {
    const named = this.ofClass(type());
    return maxItems === undefined ? named : { ...schema, items: named };
  }
}

/** Joins the description of the member and that of its rule. */
const withText = (text: string, schema: Schema): Described => ({
  ...schema,
  description: [text, schema.description].filter(Boolean).join(' '),
});

const isRequired = (metadata: Metadata): boolean =>
  metadata.some(({ type }) => type === ValidationTypes.IS_DEFINED) &&
  !metadata.some(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);

import { ValidationTypes } from 'class-validator';
import { declarationsOf } from '../adapters/dto/declared-members';
import { descriptionIn, type DtoClass } from '../adapters/dto/rule';
import { ref, type Schema } from './schema';

export type Class = DtoClass;
type Metadata = ReturnType<typeof declarationsOf>[string];

/** The named schemas of one document; those of DTOs and replies are read out of the rules that they are declared with. */
export class NamedSchemas {
  private readonly named = new Map<string, Schema>();

  /** `suffix`: stands behind the name of each class that is nested: the written form differs from the shown one. */
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

  private member(where: string, metadata: Metadata): Schema {
    const described = metadata.map(descriptionIn).find((found) => found !== undefined);
    if (!described) throw new Error(`${where} has no rule that says what it asks for`);
    const { schema, nested } = described;
    if (!nested) return schema;
    const named = this.ofClass(nested.type());
    return nested.maxItems === undefined ? named : { ...schema, items: named };
  }
}

const isRequired = (metadata: Metadata): boolean =>
  metadata.some(({ type }) => type === ValidationTypes.IS_DEFINED) &&
  !metadata.some(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);

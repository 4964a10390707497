import { getMetadataStorage, IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { ruleIn, type DtoClass, type NestedType, type ValueRule } from './rule';

/** One declared member of a DTO. */
export interface DeclaredMember {
  readonly name: string;
  readonly required: boolean;
  readonly nested: NestedType | undefined;
  /** Absent when only decorators of class-validator check the member. */
  readonly rule: ValueRule | undefined;
}

const known = new WeakMap<DtoClass, readonly DeclaredMember[]>();

/**
 * The members of a class in declaration order, from the metadata of class-validator. Throws TypeError for a member that is neither
 * `@Required` nor `@Optional`, and for unsupported decorators: asynchronous ones, those for each item, and nested ones without a class.
 */
export function declaredMembers(Dto: DtoClass): readonly DeclaredMember[] {
  const cached = known.get(Dto);
  if (cached) return cached;
  const members = Object.entries(declarationsOf(Dto)).map(([name, metadata]) => memberOf(`${Dto.name}.${name}`, name, metadata));
  known.set(Dto, members);
  return members;
}

/** The metadata of each member of a class, in declaration order. */
export function declarationsOf(Dto: DtoClass) {
  const storage = getMetadataStorage();
  return storage.groupByPropertyName(storage.getTargetValidationMetadatas(Dto, '', true, false));
}

type Metadata = ReturnType<typeof declarationsOf>[string][number];

function memberOf(where: string, name: string, metadata: readonly Metadata[]): DeclaredMember {
  const required = metadata.some(({ type }) => type === ValidationTypes.IS_DEFINED);
  const optional = metadata.some((one) => one.name === IS_OPTIONAL);
  if (required === optional) throw new TypeError(`${where} must be either @Required or @Optional`);
  const rule = metadata.map(ruleIn).find((found) => found !== undefined);
  const nested = rule?.nested;
  const refused = metadata.some((one) => one.each || isAsync(one) || (one.type === ValidationTypes.NESTED_VALIDATION && !nested));
  if (refused) throw new TypeError(`${where} is declared with a decorator that cannot be judged here`);
  return { name, required, nested, rule };
}

const isAsync = ({ constraintCls }: Metadata): boolean =>
  getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .some((constraint) => constraint.async);

import { getMetadataStorage, IS_OPTIONAL, ValidationTypes } from 'class-validator';
import { descriptionIn, type DtoClass, type NestedType } from './rule';

/** One declared member of a DTO. */
export interface DeclaredMember {
  readonly name: string;
  readonly nested: NestedType | undefined;
}

const known = new WeakMap<DtoClass, readonly DeclaredMember[]>();

/**
 * The members of a class in the order declared, from the metadata of class-validator. Throws TypeError for a member that is
 * neither `@Required` nor `@Optional`, and for decorators that cannot be judged here: asynchronous ones, those for each item,
 * and nested ones that name no class.
 */
export function declaredMembers(Dto: DtoClass): readonly DeclaredMember[] {
  const cached = known.get(Dto);
  if (cached) return cached;
  const members = Object.entries(declarationsOf(Dto)).map(([name, metadata]) => memberOf(`${Dto.name}.${name}`, name, metadata));
  known.set(Dto, members);
  return members;
}

/** The metadata of each member of a class, in the order declared. */
export function declarationsOf(Dto: DtoClass) {
  const storage = getMetadataStorage();
  return storage.groupByPropertyName(storage.getTargetValidationMetadatas(Dto, '', true, false));
}

type Metadata = ReturnType<typeof declarationsOf>[string][number];

function memberOf(where: string, name: string, metadata: readonly Metadata[]): DeclaredMember {
  const required = metadata.some(({ type }) => type === ValidationTypes.IS_DEFINED);
  const optional = metadata.some((one) => one.name === IS_OPTIONAL);
  if (required === optional) throw new TypeError(`${where} must be either @Required or @Optional`);
  const nested = metadata.map((one) => descriptionIn(one)?.nested).find((found) => found !== undefined);
  const refused = metadata.some((one) => one.each || isAsync(one) || (one.type === ValidationTypes.NESTED_VALIDATION && !nested));
  if (refused) throw new TypeError(`${where} is declared with a decorator that cannot be judged here`);
  return { name, nested };
}

const isAsync = ({ constraintCls }: Metadata): boolean =>
  getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .some((constraint) => constraint.async);

import { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage.js';
import { ValidationTypes } from 'class-validator/cjs/validation/ValidationTypes.js';
import type { Json } from '../../domain/shared/json';
import { nestedTypeOf, type DtoClass, type NestedType } from './nested';
import { ruleOf, type ReadAs } from './rule';

/** One declared member of a DTO. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  /** Each says what is wrong with a value, or nothing. */
  readonly rules: readonly ((value: Json) => string | undefined)[];
  /** Absent: the value is kept as it came. */
  readonly readAs: ReadAs | undefined;
  readonly nested: NestedType | undefined;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

const known = new WeakMap<DtoClass<object>, readonly Member[]>();

/**
 * The members of a class in the order declared, from the metadata of class-validator, compiled once: validating through the
 * library anew for each body costs twice as much. Throws TypeError for what is not meant here: a member that is neither
 * `@Required` nor `@Optional`, and decorators of class-validator that are conditional, asynchronous or for each item.
 */
export function membersOf(Dto: DtoClass<object>): readonly Member[] {
  const cached = known.get(Dto);
  if (cached) return cached;
  const storage = getMetadataStorage();
  const declared = storage.groupByPropertyName(storage.getTargetValidationMetadatas(Dto, '', true, false));
  const members = Object.entries(declared).map(([name, metadata]) => memberOf(Dto, name, metadata));
  known.set(Dto, members);
  return members;
}

function memberOf(Dto: DtoClass<object>, name: string, metadata: Metadata[]): Member {
  const required = metadata.some(({ type }) => type === ValidationTypes.IS_DEFINED);
  const optional = metadata.some(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  if (required === optional) throw new TypeError(`${Dto.name}.${name} must be either @Required or @Optional`);
  const rules = metadata.filter(({ type }) => type !== ValidationTypes.IS_DEFINED && type !== ValidationTypes.CONDITIONAL_VALIDATION);
  return {
    name,
    required,
    rules: rules.flatMap((one) => rulesOf(one, `${Dto.name}.${name}`)),
    readAs: rules.map((one) => ownRuleOf(one)?.readAs).find((readAs) => readAs !== undefined),
    nested: nestedTypeOf(Dto, name),
  };
}

function rulesOf(metadata: Metadata, where: string): Member['rules'] {
  const constraints = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  if (constraints.length === 0 || metadata.each || metadata.validateIf || constraints.some((constraint) => constraint.async)) {
    throw new TypeError(`${where} is declared with a decorator that cannot be compiled`);
  }
  const ours = ownRuleOf(metadata);
  if (ours) return [ours.problemOf];
  return constraints.map(({ instance }) => (value) => {
    const about = { value, constraints: metadata.constraints, targetName: '', object: {}, property: metadata.propertyName };
    return instance.validate(value, about) === true ? undefined : instance.defaultMessage?.(about) || 'not valid';
  });
}

const ownRuleOf = (metadata: Metadata) => ruleOf((metadata.constraints as readonly object[] | undefined)?.[0] ?? metadata);

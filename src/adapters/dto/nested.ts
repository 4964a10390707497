import 'reflect-metadata';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { combined, Rule, type DtoClass, type NestedType, type ValueRule } from './rule';

const notAnObject = 'must be an object';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const nestedIn = (nested: NestedType, rule: ValueRule): PropertyDecorator =>
  combined(Type(nested.type), ValidateNested({ message: notAnObject }), Rule({ ...rule, nested }));

/** A nested JSON object; problems have paths like `member.name`. */
export const Nested = (type: () => DtoClass): PropertyDecorator =>
  nestedIn({ type }, { schema: { type: 'object' }, problemOf: (value: unknown) => (isObject(value) ? undefined : notAnObject) });

/** A list of at most `max` nested JSON objects; problems of their members have paths like `member[0].name`. */
export const SettingsList = (type: () => DtoClass, max: number): PropertyDecorator =>
  nestedIn(
    { type, maxItems: max },
    {
      schema: { type: 'array', maxItems: max },
      problemOf: (value) => {
        if (!Array.isArray(value) || !value.every(isObject)) return 'must be a list of objects';
        return value.length > max ? `must have at most ${max} items` : undefined;
      },
    },
  );

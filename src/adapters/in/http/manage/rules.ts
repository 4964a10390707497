import 'reflect-metadata';
import { Type } from 'class-transformer';
import type { ValidationArguments } from 'class-validator';
import { IsDefined } from 'class-validator/cjs/decorator/common/IsDefined.js';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { ValidateNested } from 'class-validator/cjs/decorator/common/ValidateNested.js';
import { registerDecorator } from 'class-validator/cjs/register-decorator.js';
import { isPlainObject } from './merge-patch';

/** Why a value breaks a rule; `undefined`: it does not. */
export type Judge = (value: unknown) => string | undefined;

/** What a rule asks for, as a JSON Schema; a nested member names its class in place of one. Descriptions of the API are made of it. */
export interface Shape extends Readonly<Record<string, unknown>> {
  readonly of?: () => new () => object;
}

const shapes = new WeakMap<Judge, Shape>();

/** A judge that says what it asks for. */
export function shaped(shape: Shape, judge: Judge): Judge {
  shapes.set(judge, shape);
  return judge;
}

/** A rule of one member, told in the judge's own words; its shape is what a description of the class finds in the library's metadata. */
export const Rule =
  (judge: Judge, shape: Shape = shapes.get(judge) ?? {}): PropertyDecorator =>
  (target, property) => {
    registerDecorator({
      name: 'rule',
      target: target.constructor,
      propertyName: String(property),
      constraints: [shape],
      validator: {
        validate: (value: unknown) => judge(value) === undefined,
        defaultMessage: (args?: ValidationArguments) => judge(args?.value) ?? '',
      },
    });
  };

const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };

export const Required = (): PropertyDecorator => IsDefined({ message: 'is required' });
export const Optional = (): PropertyDecorator => IsOptional();

/** Text of 1 to `max` code points. */
export const text = (max: number): Judge =>
  shaped({ type: 'string', minLength: 1, maxLength: max }, (value) => {
    if (typeof value !== 'string') return 'must be text';
    const length = value.length > 2 * max ? Infinity : [...value].length;
    return length >= 1 && length <= max ? undefined : `must have 1 to ${String(max)} characters`;
  });

/** Text that becomes part of a header: printable ASCII, no blank at either end. */
const headerText = (max: number): Judge =>
  shaped(
    { type: 'string', minLength: 1, maxLength: max, pattern: headerPattern.source },
    (value) => text(max)(value) ?? (headerPattern.test(String(value)) ? undefined : 'must be printable ASCII without blanks around it'),
  );
const headerPattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A page that a browser opens, not one that the service calls: its size. What it must be is judged as it is sent (`tidyUrls`). */
export const pageUrl: Judge = text(500);

export const Text = (max: number): PropertyDecorator => Rule(text(max));
export const HeaderText = (max: number): PropertyDecorator => Rule(headerText(max));
export const PageUrl = (): PropertyDecorator => Rule(pageUrl);
export const Flag = (): PropertyDecorator =>
  Rule((value) => (typeof value === 'boolean' ? undefined : 'must be true or false'), { type: 'boolean' });
export const OneOf = (words: readonly string[]): PropertyDecorator =>
  Rule((value) => (typeof value === 'string' && words.includes(value) ? undefined : `must be one of ${words.join(', ')}`), {
    type: 'string',
    enum: [...words],
  });
export const Whole = (min: number, max: number): PropertyDecorator =>
  Rule(
    (value) =>
      Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
        ? undefined
        : `must be a whole number from ${String(min)} to ${String(max)}`,
    { type: 'integer', minimum: min, maximum: max },
  );

/** A list of at most `max` values, each judged alone. */
export const ListOf = (judge: Judge, max: number): PropertyDecorator =>
  Rule(
    (value) => {
      if (!Array.isArray(value)) return 'must be a list';
      if (value.length > max) return `must have at most ${String(max)} items`;
      for (const [i, item] of value.entries()) {
        const rule = judge(item);
        if (rule !== undefined) return `item ${String(i)} ${rule}`;
      }
      return undefined;
    },
    { type: 'array', items: shapes.get(judge) ?? {}, maxItems: max },
  );

/** An object with rules of its own. */
export const Nested = (type: () => new () => object): PropertyDecorator =>
  all(
    Type(type),
    ValidateNested(),
    Rule((value) => (isPlainObject(value) ? undefined : 'must be an object'), { type: 'object', of: type }),
  );

/** A list of at most `max` objects with rules of their own. */
export const NestedList = (type: () => new () => object, max: number): PropertyDecorator =>
  all(
    Type(type),
    ValidateNested({ each: true }),
    Rule(
      (value) => {
        if (!Array.isArray(value) || !value.every(isPlainObject)) return 'must be a list of objects';
        return value.length > max ? `must have at most ${String(max)} items` : undefined;
      },
      { type: 'array', of: type, maxItems: max },
    ),
  );

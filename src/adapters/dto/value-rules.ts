import { decimalProblem, maxQuantity, quantityProblem, type DecimalRules } from '../../domain/shared/decimal';
import type { Json } from '../../domain/shared/json';
import { Rule, type ValueRule } from './rule';

/** `true` or `false`. */
export const Flag = (): PropertyDecorator =>
  Rule({ schema: { type: 'boolean' }, problemOf: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false') });

/** One of the given words. */
export const OneOf = (words: readonly string[]): PropertyDecorator =>
  Rule({
    schema: { type: 'string', enum: [...words] },
    problemOf: (value) => (typeof value === 'string' && words.includes(value) ? undefined : `must be one of ${words.join(', ')}`),
  });

/** A quantity: a number or text with an integral value from 0 to 2147483647. Source: contract/conventions#decimals. */
export const Quantity = (): PropertyDecorator =>
  Rule({
    schema: {
      type: ['number', 'string'],
      description: `A number or text that is whole by value, from 0 to ${maxQuantity}: 2, 2.0, "2".`,
    },
    problemOf: quantityProblem,
  });

/** A decimal, as text or number. Source: contract/conventions#decimals. */
export const Decimal = (rules: DecimalRules = {}): PropertyDecorator =>
  Rule({ schema: decimalSchema(rules), problemOf: (json) => decimalProblem(json, rules) });

function decimalSchema({ digits = 20, scale = 2, min, max }: DecimalRules): ValueRule['schema'] {
  const range = min === undefined ? 'not below 0' : `from ${min} to ${String(max)}`;
  const rule = `at most ${digits} digits, ${scale} of them after the point, ${range}`;
  return { type: ['string', 'number'], description: `A decimal: text in plain notation, or a number; ${rule}.` };
}

/** A JavaScript integer; both bounds are included. */
export const Whole = (min: number, max: number): PropertyDecorator =>
  Rule({
    schema: { type: 'integer', minimum: min, maximum: max },
    problemOf: (value: unknown) =>
      Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
        ? undefined
        : `must be a whole number from ${min} to ${max}`,
  });

/** A list of at most `max` values; the rule applies to each. */
export const ListOf = (item: ValueRule, max: number): PropertyDecorator =>
  Rule({
    schema: { type: 'array', items: item.schema, maxItems: max },
    problemOf: (value) => {
      if (!Array.isArray(value)) return 'must be a list';
      if (value.length > max) return `must have at most ${max} items`;
      for (const [i, one] of (value as readonly Json[]).entries()) {
        const problem = item.problemOf(one);
        if (problem !== undefined) return `item ${i} ${problem}`;
      }
      return undefined;
    },
  });

import type { FieldProblem } from '../../domain/shared/errors';
import type { Json } from '../../domain/shared/json';
import { readDtoList } from './read-dto-list';
import { Rule, type DtoClass } from './rule';

/**
 * A list of at most `max` objects (1000 by default), each by the rules of `type`, which has no nested classes. The member keeps the list as
 * it was sent; problems have paths like `member[0].name`.
 */
export function ItemList(type: () => DtoClass, { max = 1000 }: { max?: number } = {}): PropertyDecorator {
  const problemsOf = (value: Json): readonly FieldProblem[] => {
    if (!Array.isArray(value) || value.length > max) return [];
    return readDtoList(type(), value).flatMap(({ problems }, i) =>
      problems.map(({ path, rule }) => ({ path: path === '' ? `[${i}]` : `[${i}].${path}`, rule })),
    );
  };
  return Rule({
    schema: { type: 'array', items: {}, maxItems: max },
    items: { type, problemsOf },
    problemOf: (value) => {
      if (!Array.isArray(value)) return 'must be a list';
      if (value.length > max) return `at most ${max} items`;
      return problemsOf(value).length > 0 ? 'an item breaks a rule' : undefined;
    },
  });
}

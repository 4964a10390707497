import { JsonObject, type Json } from '../../domain/shared/json';
import { fitsIn } from '../../domain/shared/json-size';
import { Rule } from './rule';
import { hasControls } from './text-rules';

interface Size {
  /** Maximum bytes of the serialised JSON; 65536 by default. Source: contract/conventions#string-sizes. */
  readonly maxBytes?: number;
}

const members = (maxBytes: number) => ({ type: 'object', additionalProperties: true, 'x-max-bytes': maxBytes });

const sizeProblem = (json: Json, maxBytes: number): string | undefined =>
  fitsIn(json, maxBytes) ? undefined : `at most ${maxBytes} bytes`;

/** A JSON object with any members. */
export const JsonMembers = ({ maxBytes = 65_536 }: Size = {}): PropertyDecorator =>
  Rule({
    schema: members(maxBytes),
    problemOf: (json) => (json instanceof JsonObject ? sizeProblem(json, maxBytes) : 'must be an object'),
  });

/** Like JsonMembers, but an `email` member may hold no control characters. Source: contract/conventions#string-sizes. */
export const Person = ({ maxBytes = 65_536 }: Size = {}): PropertyDecorator =>
  Rule({
    schema: { ...members(maxBytes), description: 'Any members; an `email` among them holds no control character.' },
    problemOf: (json) => {
      if (!(json instanceof JsonObject)) return 'must be an object';
      const email = json.get('email');
      if (typeof email === 'string' && hasControls(email)) return 'email must not hold control characters';
      return sizeProblem(json, maxBytes);
    },
  });

/** A JSON list with any items. */
export const JsonItems = ({ maxBytes = 65_536 }: Size = {}): PropertyDecorator =>
  Rule({
    schema: { type: 'array', items: {}, 'x-max-bytes': maxBytes },
    problemOf: (json) => (Array.isArray(json) ? sizeProblem(json as Json, maxBytes) : 'must be a list'),
  });

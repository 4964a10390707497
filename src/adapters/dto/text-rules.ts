import { isEmail } from 'class-validator';
import { readDateTime } from '../../domain/shared/date-time';
import { JsonNumber, type Json } from '../../domain/shared/json';
import { Rule, type ValueRule } from './rule';
import { usualEmail } from './usual-email';

export interface TextRules {
  /** Maximum size in characters (code points). */
  readonly max: number;
  /** Minimum size in characters; 0 by default. */
  readonly min?: number;
  readonly pattern?: RegExp;
  /** The rule's text when the value does not match the pattern. */
  readonly message?: string;
}

/** A string; its size is counted in code points. `Text(n)`: 1 to n code points, with one message for both bounds. */
export const Text = (rules: TextRules | number): PropertyDecorator =>
  Rule(typeof rules === 'number' ? sizedText(rules) : { schema: schemaOf(rules), problemOf: (json) => textProblem(json, rules) });

/** The schema of a string within these rules. */
export const schemaOf = ({ max, min = 0, pattern }: TextRules): ValueRule['schema'] => ({
  type: 'string',
  ...(min > 0 && { minLength: min }),
  maxLength: max,
  ...(pattern && { pattern: pattern.source }),
});

function textProblem(json: Json, { max, min = 0, pattern, message = 'not in the agreed form' }: TextRules): string | undefined {
  if (typeof json !== 'string') return 'must be text';
  if (isLonger(json, max)) return `at most ${counted(max)}`;
  if (min > 0 && !isLonger(json, min - 1)) return `at least ${counted(min)}`;
  return !pattern || pattern.test(json) ? undefined : message;
}

/** A rule for text of 1 to `max` code points; any other kind of value breaks it. */
export const sizedText = (max: number): ValueRule & { problemOf: (value: unknown) => string | undefined } => ({
  schema: schemaOf({ min: 1, max }),
  problemOf: (value) => {
    if (typeof value !== 'string') return 'must be text';
    return value !== '' && !isLonger(value, max) ? undefined : `must have 1 to ${max} characters`;
  },
});

const headerPattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Text that becomes part of a header: 1 to `max` characters of printable ASCII, no blank at either end. */
export const HeaderText = (max: number): PropertyDecorator => {
  const { problemOf } = sizedText(max);
  return Rule({
    schema: schemaOf({ min: 1, max, pattern: headerPattern }),
    problemOf: (value) =>
      problemOf(value) ??
      (typeof value === 'string' && headerPattern.test(value) ? undefined : 'must be printable ASCII without blanks around it'),
  });
};

/** A list of at most `maxItems` strings, each within the rules. */
export const TextList = ({ maxItems, ...rules }: TextRules & { readonly maxItems: number }): PropertyDecorator =>
  Rule({
    schema: { type: 'array', items: schemaOf(rules), maxItems },
    problemOf: (json) => {
      if (!Array.isArray(json)) return 'must be a list';
      if (json.length > maxItems) return `at most ${maxItems} items`;
      return json.map((item: Json) => textProblem(item, rules)).find((found) => found !== undefined);
    },
  });

const integerAsText = 'A whole number without sign, point and exponent is read as its text: `17` and `"17"` are one id.';

/**
 * An id: a string, or a JSON integer without sign, point and exponent. It becomes its text, so `17` and `"17"` are the same id. Source:
 * contract/conventions#ids.
 */
export const Id = (rules: TextRules): PropertyDecorator =>
  Rule({
    schema: { ...schemaOf(rules), type: ['string', 'integer'], description: integerAsText },
    readAs: (json) => (json instanceof JsonNumber && /^(?:0|[1-9][0-9]*)$/.test(json.text) ? json.text : json),
    problemOf: (json) =>
      json instanceof JsonNumber ? 'must be text, or a whole number without sign, point and exponent' : textProblem(json, rules),
  });

const counted = (characters: number): string => `${characters} character${characters === 1 ? '' : 's'}`;

/** Counts code points only where the length in UTF-16 units does not decide: a code point has one unit or two. */
function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > characters * 2) return true;
  let count = 0;
  for (const _character of text) if (++count > characters) return true;
  return false;
}

const longestEmail = 254;

/** Finds control characters and line separators. */
export const hasControls = (text: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(text);

/** An e-mail address. The empty text means unknown. Source: contract/conventions#string-sizes. */
export const Email = (): PropertyDecorator =>
  Rule({
    schema: { type: 'string', maxLength: longestEmail, description: 'An e-mail address. The empty text: not known.' },
    problemOf: (json) => {
      if (typeof json !== 'string') return 'must be text';
      if (json.length > longestEmail) return `at most ${counted(longestEmail)}`;
      if (json === '' || usualEmail.test(json)) return undefined;
      // The library accepts a quoted local part with line breaks, which would inject headers into a mail.
      if (hasControls(json)) return 'must not hold control characters';
      return isEmail(json) ? undefined : 'must be an e-mail address';
    },
  });

const e164 = /^\+[1-9]\d{1,14}$/;

/** A phone number in E.164 format. The empty text means unknown. Source: contract/conventions#string-sizes. */
export const Phone = (): PropertyDecorator =>
  Rule({
    schema: {
      type: 'string',
      pattern: `^$|${e164.source}`,
      description: 'A phone number in E.164 format. The empty text: not known.',
    },
    problemOf: (json) => {
      if (typeof json !== 'string') return 'must be text';
      return json === '' || e164.test(json) ? undefined : 'must be a phone number in E.164 format';
    },
  });

const longestDateTime = 64;

/** A valid date and time with its offset, as text. Source: RFC 3339 §5.6. */
export const DateTime = (): PropertyDecorator =>
  Rule({
    schema: { type: 'string', format: 'date-time', maxLength: longestDateTime },
    problemOf: (json) => {
      if (typeof json !== 'string') return 'must be text';
      const isOne = json.length <= longestDateTime && readDateTime(json) !== undefined;
      return isOne ? undefined : 'must be a date and time as in RFC 3339';
    },
  });

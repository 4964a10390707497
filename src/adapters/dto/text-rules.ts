import { isEmail } from 'class-validator';
import { readDateTime } from '../../domain/shared/date-time';
import { JsonNumber, type Json } from '../../domain/shared/json';
import { Rule, type ValueRule } from './rule';
import { usualEmail } from './usual-email';

export interface TextRules {
  /** Characters (code points) at most. */
  readonly max: number;
  /** Characters at least; 0. */
  readonly min?: number;
  readonly pattern?: RegExp;
  /** The phrase for a text that does not match the pattern. */
  readonly says?: string;
}

/** A string; its size is counted in code points. `Text(n)`: from 1 to n of them, with one message for both bounds. */
export const Text = (rules: TextRules | number): PropertyDecorator =>
  Rule(typeof rules === 'number' ? sizedText(rules) : { schema: schemaOf(rules), problemOf: (json) => textProblem(json, rules) });

/** The schema of a string within these rules. */
export const schemaOf = ({ max, min = 0, pattern }: TextRules): ValueRule['schema'] => ({
  type: 'string',
  ...(min > 0 && { minLength: min }),
  maxLength: max,
  ...(pattern && { pattern: pattern.source }),
});

function textProblem(json: Json, { max, min = 0, pattern, says = 'not in the agreed form' }: TextRules): string | undefined {
  if (typeof json !== 'string') return 'must be text';
  if (isLonger(json, max)) return `at most ${counted(max)}`;
  if (min > 0 && !isLonger(json, min - 1)) return `at least ${counted(min)}`;
  return !pattern || pattern.test(json) ? undefined : says;
}

/** A rule for text of 1 to `max` code points, whatever kind of value is judged. */
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

/** A list of strings, each within the rules, at most `maxItems` of them. */
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
 * An id: a string, or a JSON integer without sign, point and exponent, which is read as its text: `17` and `"17"` are one id.
 * Source: contract/conventions#ids.
 */
export const Id = (rules: TextRules): PropertyDecorator =>
  Rule({
    schema: { ...schemaOf(rules), type: ['string', 'integer'], description: integerAsText },
    readAs: (json) => (json instanceof JsonNumber && /^(?:0|[1-9][0-9]*)$/.test(json.text) ? json.text : json),
    problemOf: (json) =>
      json instanceof JsonNumber ? 'must be text, or a whole number without sign, point and exponent' : textProblem(json, rules),
  });

const counted = (characters: number): string => `${characters} character${characters === 1 ? '' : 's'}`;

/** Counts only where the units do not tell: a code point is one unit or two. */
function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > characters * 2) return true;
  let count = 0;
  for (const _character of text) if (++count > characters) return true;
  return false;
}

const longestEmail = 254;

/** Control characters, and those that end a line. */
export const hasControls = (text: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(text);

/** An e-mail address; the empty text is taken for one that is not known. Source: contract/conventions#string-sizes. */
export const Email = (): PropertyDecorator =>
  Rule({
    schema: { type: 'string', maxLength: longestEmail, description: 'An e-mail address. The empty text: not known.' },
    problemOf: (json) => {
      if (typeof json !== 'string') return 'must be text';
      if (json.length > longestEmail) return `at most ${counted(longestEmail)}`;
      if (json === '' || usualEmail.test(json)) return undefined;
      // The library takes a quoted local part with line breaks in it, which whoever writes a mail would take for headers.
      if (hasControls(json)) return 'must not hold control characters';
      return isEmail(json) ? undefined : 'must be an e-mail address';
    },
  });

const e164 = /^\+[1-9]\d{1,14}$/;

/** A phone number in E.164 format; the empty text is taken for one that is not known. Source: contract/conventions#string-sizes. */
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

/** A date and time of the calendar, with its offset, as text. Source: RFC 3339 §5.6. */
export const DateTime = (): PropertyDecorator =>
  Rule({
    schema: { type: 'string', format: 'date-time', maxLength: longestDateTime },
    problemOf: (json) => {
      if (typeof json !== 'string') return 'must be text';
      const isOne = json.length <= longestDateTime && readDateTime(json) !== undefined;
      return isOne ? undefined : 'must be a date and time as in RFC 3339';
    },
  });

import { IsDefined } from 'class-validator/cjs/decorator/common/IsDefined.js';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { isEmail } from 'class-validator/cjs/decorator/string/IsEmail.js';
import { readDateTime } from '../../domain/shared/date-time';
import { decimalProblem, maxQuantity, quantityProblem, type DecimalRules } from '../../domain/shared/decimal';
import { JsonNumber, JsonObject, printJson, type Json } from '../../domain/shared/json';
import { rememberNested, type DtoClass, type NestedType } from './nested';
import { rule } from './rule';
import { usualEmail } from './usual-email';

/** The member must be there, and not `null`. */
export const Required = (): PropertyDecorator => IsDefined({ message: 'required' });

/** The member may be absent or `null`. */
export const Optional = (): PropertyDecorator => IsOptional();

export interface TextRules {
  /** Characters (code points) at most. */
  readonly max: number;
  /** Characters at least; 0. */
  readonly min?: number;
  readonly pattern?: RegExp;
  /** What is said of a text that does not match the pattern. */
  readonly says?: string;
}

/** A string; its size is counted in code points. */
export const Text = (rules: TextRules): PropertyDecorator => rule('text', rules, (json) => textProblem(json, rules));

/** A list of strings, each within the rules, at most `maxItems` of them. */
export const TextList = (rules: TextRules & { readonly maxItems: number }): PropertyDecorator =>
  rule('textList', rules, (json) => {
    const problem = listProblem(json, rules.maxItems);
    if (problem !== undefined || !Array.isArray(json)) return problem;
    return json.map((item: Json) => textProblem(item, rules)).find((found) => found !== undefined);
  });

/**
 * An id: a string, or a JSON integer without sign, point and exponent, which is read as its text: `17` and `"17"` are one id.
 * Source: decisions §5.1.
 */
export const Id = (rules: TextRules): PropertyDecorator =>
  rule('id', rules, (json) => (json instanceof JsonNumber && !isPlainInteger(json) ? notAnId : textProblem(asId(json), rules)), asId);

const isPlainInteger = ({ text }: JsonNumber): boolean => /^(?:0|[1-9][0-9]*)$/.test(text);

const notAnId = 'must be text, or a whole number without sign, point and exponent';

const asId = (json: Json): Json => (json instanceof JsonNumber ? json.text : json);

function textProblem(json: Json, { max, min = 0, pattern, says = 'not in the agreed form' }: TextRules): string | undefined {
  if (typeof json !== 'string') return 'must be text';
  if (isLonger(json, max)) return `at most ${counted(max)}`;
  if (min > 0 && !isLonger(json, min - 1)) return `at least ${counted(min)}`;
  return !pattern || pattern.test(json) ? undefined : says;
}

function listProblem(json: Json, maxItems: number): string | undefined {
  if (!Array.isArray(json)) return 'must be a list';
  return json.length > maxItems ? `at most ${maxItems} items` : undefined;
}

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

const hasControls = (text: string): boolean => /[\p{Cc}\u2028\u2029]/u.test(text);

/** An e-mail address; the empty text is taken for one that is not known. Source: contract, UserData; decisions §5.14. */
export const Email = (): PropertyDecorator =>
  rule('email', { max: longestEmail }, (json) => {
    if (typeof json !== 'string') return 'must be text';
    if (json.length > longestEmail) return `at most ${counted(longestEmail)}`;
    if (json === '' || usualEmail.test(json)) return undefined;
    // The library takes a quoted local part with line breaks in it, which whoever writes a mail would take for headers.
    if (hasControls(json)) return 'must not hold control characters';
    return isEmail(json) ? undefined : 'must be an e-mail address';
  });

const e164 = /^\+[1-9]\d{1,14}$/;

/** A phone number in E.164 format; the empty text is taken for one that is not known. Source: contract, UserData. */
export const Phone = (): PropertyDecorator =>
  rule('phone', { pattern: e164.source }, (json) => {
    if (typeof json !== 'string') return 'must be text';
    return json === '' || e164.test(json) ? undefined : 'must be a phone number in E.164 format';
  });

/** `true` or `false`. */
export const Flag = (): PropertyDecorator => rule('flag', {}, (json) => (typeof json === 'boolean' ? undefined : 'must be true or false'));

/** How many of something: a number or text that is whole by value, from 0 to 2147483647. Source: decisions §5.1. */
export const Quantity = (): PropertyDecorator => rule('quantity', { max: maxQuantity }, quantityProblem);

/** A decimal, as text or number. Source: contract, Limits. */
export const Decimal = (rules: DecimalRules = {}): PropertyDecorator => rule('decimal', rules, (json) => decimalProblem(json, rules));

/** One of these words. */
export const OneOf = (words: readonly string[]): PropertyDecorator =>
  rule('oneOf', { words }, (json) => (typeof json === 'string' && words.includes(json) ? undefined : `must be one of ${words.join(', ')}`));

/** A JSON object of any members, printed at most `maxBytes` long; 64 KiB. Source: decisions §1, String sizes. */
export const JsonMembers = ({ maxBytes = 65_536 }: { maxBytes?: number } = {}): PropertyDecorator =>
  rule('jsonMembers', { maxBytes }, (json) => (json instanceof JsonObject ? sizeProblem(json, maxBytes) : 'must be an object'));

const sizeProblem = (json: JsonObject, maxBytes: number): string | undefined =>
  Buffer.byteLength(printJson(json)) <= maxBytes ? undefined : `at most ${maxBytes} bytes`;

/** As JsonMembers; an `email` among the members holds no control character. Source: decisions §5.14. */
export const Person = ({ maxBytes = 65_536 }: { maxBytes?: number } = {}): PropertyDecorator =>
  rule('person', { maxBytes }, (json) => {
    if (!(json instanceof JsonObject)) return 'must be an object';
    const email = json.get('email');
    if (typeof email === 'string' && hasControls(email)) return 'email must not hold control characters';
    return sizeProblem(json, maxBytes);
  });

/** A JSON list of any items, printed at most `maxBytes` long; 64 KiB. Source: decisions §1, String sizes. */
export const JsonItems = ({ maxBytes = 65_536 }: { maxBytes?: number } = {}): PropertyDecorator =>
  rule('jsonItems', { maxBytes }, (json) => {
    if (!Array.isArray(json)) return 'must be a list';
    return Buffer.byteLength(printJson(json)) <= maxBytes ? undefined : `at most ${maxBytes} bytes`;
  });

const longestDateTime = 64;

/** A date and time of the calendar, with its offset, as text. Source: RFC 3339 §5.6. */
export const DateTime = (): PropertyDecorator =>
  rule('dateTime', { max: longestDateTime }, (json) => {
    if (typeof json !== 'string') return 'must be text';
    const isOne = json.length <= longestDateTime && readDateTime(json) !== undefined;
    return isOne ? undefined : 'must be a date and time as in RFC 3339';
  });

const declare =
  (nested: NestedType, decorate: PropertyDecorator): PropertyDecorator =>
  (prototype, member) => {
    rememberNested(prototype, String(member), nested);
    decorate(prototype, member);
  };

/** A JSON object with members of its own; their paths are `member.name`. */
export const Nested = (type: () => DtoClass<object>): PropertyDecorator =>
  declare(
    { type, list: false },
    rule('nested', {}, (json) => (json instanceof JsonObject ? undefined : 'must be an object')),
  );

/** A list of JSON objects with members of their own, at most `max` of them (1000); their paths are `member[0].name`. */
export const NestedList = (type: () => DtoClass<object>, { max = 1000 }: { max?: number } = {}): PropertyDecorator =>
  declare(
    { type, list: true },
    rule('nestedList', { max }, (json) => listProblem(json, max)),
  );

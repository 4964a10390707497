import { isPlainObject } from './merge-patch';
import { SignatureDto } from './signature.dto';
import { HeaderText, Nested, Optional, Required, Rule, Text, type ValueRule } from '../../../dto/decorators';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const headersAtMost = 100;

/** `[[name, value], …]` as they were sent, or `{name: value}`. */
const headerShape = {
  oneOf: [
    {
      type: 'array',
      maxItems: headersAtMost,
      items: { type: 'array', items: { type: 'string', maxLength: 16_384 }, minItems: 2, maxItems: 2 },
    },
    { type: 'object', maxProperties: headersAtMost, additionalProperties: { type: 'string', maxLength: 16_384 } },
  ],
};
const headerProblem = (value: unknown): string | undefined => {
  const pairs: readonly unknown[] | undefined = Array.isArray(value) ? value : isPlainObject(value) ? Object.entries(value) : undefined;
  if (!pairs) return 'must be a list of [name, value] or an object';
  if (pairs.length > headersAtMost) return `must have at most ${String(headersAtMost)} headers`;
  const isHeader = (pair: unknown): boolean =>
    Array.isArray(pair) &&
    pair.length === 2 &&
    typeof pair[0] === 'string' &&
    token.test(pair[0]) &&
    typeof pair[1] === 'string' &&
    pair[1].length <= 16_384;
  return pairs.every(isHeader) ? undefined : 'must hold a name and a text for each header';
};

const anyText: ValueRule = {
  schema: { type: 'string' },
  problemOf: (value) => (typeof value === 'string' ? undefined : 'must be text'),
};
const base64: ValueRule = {
  schema: { type: 'string', contentEncoding: 'base64' },
  problemOf: (value) =>
    typeof value === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0 ? undefined : 'must be base64',
};
const method: ValueRule = {
  schema: { type: 'string', pattern: token.source },
  problemOf: (value) => (typeof value === 'string' && token.test(value) ? undefined : 'must be an HTTP method'),
};

class SavedRequestDto {
  @Required() @Rule(method) method!: string;
  @Required() @Text(8192) target!: string;
  @Required() @Rule({ schema: headerShape, problemOf: headerProblem }) headers!:
    readonly (readonly [string, string])[] | Readonly<Record<string, string>>;
  @Optional() @Rule(anyText) body?: string;
  @Optional() @Rule(base64) body_base64?: string;
}

/** Which request is to be explained: a kept one, its parts, or its text. */
export class ExplainDto {
  @Optional() @HeaderText(64) exchange_id?: string;
  @Optional() @Nested(() => SavedRequestDto) request?: SavedRequestDto;
  @Optional() @Rule(anyText) http?: string;
  /** Whose signature it is, where the request itself does not tell. */
  @Optional() @HeaderText(64) client_id?: string;
  @Optional() @HeaderText(64) app_id?: string;
  @Optional() @HeaderText(40) received_at?: string;
  /** Settings and credentials that are tried instead of stored ones. */
  @Optional() @Nested(() => SignatureDto) signature?: SignatureDto;
  @Optional() @HeaderText(250) merchant_id?: string;
}

import { isPlainObject } from '../http/merge-patch';
import { SignatureDto } from './signature.dto';
import { Description, HeaderText, Nested, Optional, Required, Rule, Text, type ValueRule } from '../../../../dto/decorators';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const maxHeaders = 100;

/** `[[name, value], …]` in the order sent, or `{name: value}`. */
const headerShape = {
  oneOf: [
    {
      type: 'array',
      maxItems: maxHeaders,
      items: { type: 'array', items: { type: 'string', maxLength: 16_384 }, minItems: 2, maxItems: 2 },
    },
    { type: 'object', maxProperties: maxHeaders, additionalProperties: { type: 'string', maxLength: 16_384 } },
  ],
};
const headerProblem = (value: unknown): string | undefined => {
  const pairs: readonly unknown[] | undefined = Array.isArray(value) ? value : isPlainObject(value) ? Object.entries(value) : undefined;
  if (!pairs) return 'must be a list of [name, value] or an object';
  if (pairs.length > maxHeaders) return `must have at most ${String(maxHeaders)} headers`;
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

@Description('A request as it was sent.')
class SavedRequestDto {
  @Required('HTTP method of the request, such as `POST`.') @Rule(method) method!: string;
  @Required('Path and query, as they were sent.') @Text(8192) target!: string;
  @Required('Pairs of name and value, or an object with one text for each name; at most 100.')
  @Rule({ schema: headerShape, problemOf: headerProblem })
  headers!: readonly (readonly [string, string])[] | Readonly<Record<string, string>>;
  @Optional('Body as text. Absent: `body_base64` has it, or it is empty.') @Rule(anyText) body?: string;
  @Optional('Bytes of the body in base64, for bodies that are no text.') @Rule(base64) body_base64?: string;
}

/** Identifies the request to explain: a kept one, its parts, or its text. */
@Description('Which request is to be explained.')
export class ExplainDto {
  @Optional('Exchange record whose request is kept; a day after a refused signature it is not any more.')
  @HeaderText(64)
  exchange_id?: string;
  @Optional('The request in its parts.') @Nested(() => SavedRequestDto) request?: SavedRequestDto;
  @Optional('The request as a message of HTTP/1.1: request line, headers, an empty line, body.') @Rule(anyText) http?: string;
  @Optional('Client ID of the host app that signed, where the request itself does not tell.') @HeaderText(64) client_id?: string;
  @Optional('App ID of the miniapp that signed, where the request itself does not tell.') @HeaderText(64) app_id?: string;
  @Optional('When the request came, RFC 3339; its timestamp is compared with it. Absent: now.')
  @HeaderText(40)
  received_at?: string;
  @Optional('Settings and credentials to try. Absent: the stored ones of the app.') @Nested(() => SignatureDto) signature?: SignatureDto;
  @Optional('Merchant id for the placeholder `{merchant_id}`. Absent: that of the integration.') @HeaderText(250) merchant_id?: string;
}

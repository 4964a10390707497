import { defaultSignatureSettings, type SignatureSettings } from '../../../../src/domain/credentials/signing/signature-settings';
import { otherPayloads, readPayload } from '../../../../src/domain/credentials/signing/signed-payloads';
import { prepareSigning } from '../../../../src/domain/credentials/signing/signing-string';

const textsOf = (body: string, more: Partial<SignatureSettings> = {}): string[] => {
  const signing = prepareSigning({ ...defaultSignatureSettings, ...more });
  const read = readPayload(new TextEncoder().encode(body), signing);
  return read === undefined ? [] : [...otherPayloads(read, signing.form)].map((bytes) => new TextDecoder().decode(bytes));
};

it('are compact and with blanks, each unescaped and with escapes', () => {
  expect(textsOf('{ "b":"\\u00FC", "a":1.10 }')).toEqual([
    '{"b":"ü","a":1.10}',
    '{"b":"\\u00fc","a":1.10}',
    '{"b": "ü", "a": 1.10}',
    '{"b": "\\u00fc", "a": 1.10}',
  ]);
});

it('are sorted too where the app sorts', () => {
  expect(textsOf('{ "b":1,"a":2 }', { payloadSortKeys: true })).toEqual([
    '{"a":2,"b":1}',
    '{"a": 2, "b": 1}',
    '{"b":1,"a":2}',
    '{"b": 1, "a": 2}',
  ]);
});

it('begin with the form that was agreed on', () => {
  expect(textsOf('{"b":"ü","a":1 }', { payloadAscii: true, payloadSpaces: true })[0]).toBe('{"b": "\\u00fc", "a": 1}');
});

it('never come twice, nor as the very bytes', () => {
  expect(textsOf('{"a":1}')).toEqual(['{"a": 1}']);
  expect(textsOf('{"a":"\\u00fc"}')).toEqual(['{"a":"ü"}', '{"a": "ü"}', '{"a": "\\u00fc"}']);
  expect(textsOf('1')).toEqual([]);
});

it('spell characters beyond U+FFFF as two escapes, names as values, and leave U+007F as it is', () => {
  expect(textsOf('{"é" :"😀\u007f\u0080"}')[1]).toBe('{"\\u00e9":"\\ud83d\\ude00\u007f\\u0080"}');
});

it.each([
  ['no body', ''],
  ['no JSON', 'a=1'],
  ['an invalid text', '{"a":1,"a":2}'],
])('are none of %s', (_what, body) => {
  expect(textsOf(body)).toEqual([]);
});

it('are none where the payload is not signed', () => {
  expect(textsOf('{"a": 1}', { payloadTemplate: '{request_method}.{url}.{timestamp}' })).toEqual([]);
});
